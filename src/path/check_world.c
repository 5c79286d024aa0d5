/// path/check_world.c: checks that a polyline keeps its distance from the shapes themselves.
///
/// For each segment the world's tree is searched, nearest box first, and whatever lies beyond the limit is
/// left out. When only the verdict is wanted the limit is the radius; for the clearance it is the least
/// distance found so far.
#include "base/assert.h"
#include "path/check.h"
#include "path/segment.h"

/// Depth of the search's stack. The tree is balanced: even 2^32 obstacles give a height below 48, and one
/// node a level waits.
#define WAITING 128

/// A shape that a segment comes too close to.
typedef struct offence {
    bool found, entered;
    double distance, at;
    uint32_t slot;
} offence;

typedef struct judge {
    const vn_world* world;
    uint32_t without; ///< obstacles with one of these flags are ignored
    double radius, bound;
    bool want_clearance;
    double clearance; ///< least distance so far
    offence worst;    ///< of the segment in hand
    bool settled;     ///< an earlier segment was at fault: only the clearance is still wanted
} judge;

/// No coordinate counts as farther out than this, metres: the origins of world and space may be anywhere, and
/// the geometry below multiplies up to four coordinates, which must not overflow.
#define FARTHEST 1e60

static double within_reach(double x) {
    return vni_clamp(x, -FARTHEST, FARTHEST);
}

/// Local position of a lattice point in the world's frame.
static vni_vec local_position(const vn_world* world, const vn_space* space, vn_point p) {
    double step = (double)space->resolution / VN_LATTICE;
    return vni_v(within_reach((space->origin.x - world->origin.x) + (space->low.x + p.x * step)),
                 within_reach((space->origin.y - world->origin.y) + (space->low.y + p.y * step)),
                 within_reach((space->origin.z - world->origin.z) + (space->low.z + p.z * step)));
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double magnitude(vni_vec v) {
    vni_vec both = vni_max(v, vni_scale(v, -1.0));
    return larger(both.x, larger(both.y, both.z));
}

/// Where the number comes from. Let M be the largest magnitude of a coordinate and e = 2^-53 M; a rounding of
/// a coordinate costs at most e, a rounding of a difference of two coordinates 2 e.
///   * A path point: p * step is exact below 2^29 steps and costs e above; adding low costs e, adding the
///     difference of origins e: 3 e.
///   * A point on the segment: the direction 2 e, its multiple 2 e, the sum e: 8 e with the above. The same
///     for a point on an edge: 5 e.
///   * In the frame of an oriented box: the difference 2 e, and three products and sums with axes that carry
///     a few roundings themselves, each of a length below 2 sqrt(3) M: 25 e or less; the worst of all shapes.
///   * The difference of two such points 2 e, on each of three axes: times sqrt(3); its length adds three
///     roundings of the distance.
///   * The place on the segment is itself rounded; it is where the distance is least, so it shifts the result
///     by no more than the points.
/// Together below 64 e = 32 * 2^-52 M.
double vn_check_error_bound(const vn_world* world, const vn_space* space) {
    VNI_ASSERT(world != NULL && space != NULL);

    const int32_t* dims = space->occupancy.dims;
    vn_point zero = {0, 0, 0}, top = {dims[0] * VN_LATTICE, dims[1] * VN_LATTICE, dims[2] * VN_LATTICE};
    double largest = magnitude(local_position(world, space, zero));
    largest = larger(largest, magnitude(local_position(world, space, top)));

    vn_box bounds;
    if (vn_world_get_bounds(world, &bounds))
        largest =
            larger(largest, larger(magnitude(vni_v_from(bounds.min)), magnitude(vni_v_from(bounds.max))));

    return 32.0 / 4503599627370496.0 * largest; // 2^52
}

/// Beyond this distance a shape does not matter any more.
static double limit_of(const judge* j) {
    double reach = j->radius + j->bound;
    if (!j->want_clearance)
        return reach;
    return j->settled ? j->clearance : larger(reach, j->clearance);
}

/// A total order, so that the verdict does not depend on the shape of the tree: nearer, then earlier, then
/// the lower slot.
static bool is_worse(const offence* a, const offence* b) {
    if (!b->found || a->distance != b->distance)
        return !b->found || a->distance < b->distance;
    return a->at != b->at ? a->at < b->at : a->slot < b->slot;
}

static void judge_obstacle(judge* j, const vni_segment* segment, uint32_t slot) {
    const vni_obstacle* obstacle = vni_world_obstacle(j->world, slot);
    VNI_ASSERT(obstacle != NULL);

    if (obstacle->info.flags & j->without)
        return;
    vni_nearest nearest = vni_segment_obstacle(segment, obstacle, limit_of(j));
    if (nearest.distance < j->clearance)
        j->clearance = nearest.distance;

    if (j->settled)
        return;
    offence here = {true, false, nearest.distance, nearest.at, slot};
    if (nearest.distance <= j->bound && vni_segment_enters(segment, obstacle, j->bound, &here.at)) {
        here.entered = true;
        here.distance = 0.0;
    } else if (nearest.distance >= j->radius - j->bound) {
        return;
    }

    if (is_worse(&here, &j->worst))
        j->worst = here;
}

static double node_at_least(const vni_tree* tree, uint32_t node, const vni_segment* segment, double limit) {
    const vn_box* box = &tree->nodes[node].box;
    return vni_segment_box_at_least(segment, vni_v_from(box->min), vni_v_from(box->max), limit);
}

static void judge_segment(judge* j, const vni_segment* segment) {
    struct {
        uint32_t node;
        double at_least;
    } stack[WAITING];
    const vni_tree* tree = &j->world->tree;

    uint32_t count = 0;
    if (tree->root != VNI_TREE_NULL) {
        stack[0].node = tree->root;
        stack[0].at_least = node_at_least(tree, tree->root, segment, limit_of(j));
        count = 1;
    }

    while (count > 0) {
        const vni_tree_node* node = &tree->nodes[stack[--count].node];
        if (stack[count].at_least > limit_of(j))
            continue;

        if (node->left == VNI_TREE_NULL) {
            judge_obstacle(j, segment, node->item);
            if (j->worst.found && !j->want_clearance)
                return;
            continue;
        }

        // The nearer child comes last, so that it is taken first and lowers the limit for the other.
        VNI_ASSERT(count + 2 <= WAITING);

        double left = node_at_least(tree, node->left, segment, limit_of(j));
        double right = node_at_least(tree, node->right, segment, limit_of(j));
        bool left_first = left <= right;
        stack[count].node = left_first ? node->right : node->left;
        stack[count++].at_least = left_first ? right : left;
        stack[count].node = left_first ? node->left : node->right;
        stack[count++].at_least = left_first ? left : right;
    }
}

static void write_offence(const judge* j, const vn_space* space, const vn_point* points, uint32_t segment,
                          uint32_t next, vn_check_result* result) {
    result->fault = j->worst.entered ? VN_CHECK_BLOCKED : VN_CHECK_TOO_CLOSE;
    result->segment = segment;
    result->fraction = j->worst.at;
    result->position = vni_check_position(space, points[segment], points[next], j->worst.at);
    result->obstacle = vni_world_id(j->world, j->worst.slot);
}

/// The segment leads to or from a point that is not a place; an earlier fault counts first.
static void refuse(const judge* j, uint32_t segment, vn_check_result* result) {
    if (j->settled)
        return;
    result->fault = VN_CHECK_OUTSIDE;
    result->segment = segment;
}

/// A lone point is a segment of no length.
static void judge_path(judge* j, const vn_space* space, const vn_point* points, uint32_t count,
                       vn_check_result* result) {
    uint32_t segments = count > 1 ? count - 1 : 1;
    for (uint32_t i = 0; i < segments; ++i) {
        uint32_t next = i + 1 < count ? i + 1 : i;
        if (vn_point_is_outside(points[i]) || vn_point_is_outside(points[next])) {
            refuse(j, i, result);
            return;
        }

        vni_segment segment = vni_segment_make(local_position(j->world, space, points[i]),
                                               local_position(j->world, space, points[next]));
        judge_segment(j, &segment);
        if (j->worst.found && !j->settled) {
            write_offence(j, space, points, i, next, result);
            j->settled = true;
        }

        if (j->settled && (!j->want_clearance || j->clearance == 0.0))
            return;
    }
}

bool vn_world_check_path(const vn_world* world, const vn_space* space, const vn_point* points, uint32_t count,
                         double radius, vn_check_result* out) {
    VNI_ASSERT(world != NULL && space != NULL && (points != NULL || count == 0));
    VNI_ASSERT(radius >= 0.0 && vni_is_finite(radius));

    vn_check_result result = vni_check_result_make();
    if (count == 0) {
        result.fault = VN_CHECK_EMPTY;
    } else {
        judge j = {world,       vni_space_without(space), radius, vn_check_error_bound(world, space),
                   out != NULL, (double)INFINITY,         {0},    false};
        judge_path(&j, space, points, count, &result);
        result.clearance = j.clearance;
    }

    if (out != NULL)
        *out = result;

    return result.fault == VN_CHECK_FREE;
}
