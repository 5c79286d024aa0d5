/// classic/waypoints_bytes.c: waypoints as bytes, little-endian:
///
///     u32 obstacles; for each, by slot:
///         u32 index1, generation of its id; f32[8] transform: position, rotation x y z w, scale
///         u32 corners, places, direct neighbours
///         f64[6] for each corner: where it is, and the unit direction of the offset
///         u32 a, b, f64 t for each place
///         u32 number of direct neighbours of each place
///         u32 the neighbours
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/waypoints_inside.h"

/// Coordinates of saved corners are not above this.
#define MOST 1e9

// ------------------------------------------------------------------------------------------------- writing

static void put_vec(vni_number_writer* w, vni_vec v) {
    vni_put_double(w, v.x);
    vni_put_double(w, v.y);
    vni_put_double(w, v.z);
}

void vni_waypoint_plan_write(const vni_waypoint_plan* plan, vni_number_writer* w) {
    vni_put_number(w, plan->corner_count, 4);
    vni_put_number(w, plan->count, 4);
    vni_put_number(w, plan->direct_count, 4);
    for (uint32_t i = 0; i < plan->corner_count; ++i) {
        put_vec(w, plan->at[i]);
        put_vec(w, plan->out[i]);
    }

    for (uint32_t i = 0; i < plan->count; ++i) {
        vni_put_number(w, plan->places[i].a, 4);
        vni_put_number(w, plan->places[i].b, 4);
        vni_put_double(w, plan->places[i].t);
    }

    for (uint32_t i = 0; i < plan->count; ++i)
        vni_put_number(w, plan->first[i + 1] - plan->first[i], 4);
    for (uint32_t i = 0; i < plan->direct_count; ++i)
        vni_put_number(w, plan->direct[i], 4);
}

void vni_waypoints_write(const vni_waypoints* waypoints, vni_number_writer* w) {
    vni_put_number(w, waypoints->owner_count, 4);
    for (uint32_t i = 0; i < waypoints->owner_count; ++i) {
        const vni_waypoint_owner* owner = &waypoints->owners[i];
        const vn_transform* t = &owner->transform;
        const float numbers[8] = {t->position.x, t->position.y, t->position.z, t->rotation.x,
                                  t->rotation.y, t->rotation.z, t->rotation.w, t->scale};
        vni_put_number(w, owner->id.index1, 4);
        vni_put_number(w, owner->id.generation, 4);
        for (int k = 0; k < 8; ++k)
            vni_put_float(w, numbers[k]);
        vni_waypoint_plan_write(owner->plan, w);
    }
}

// ------------------------------------------------------------------------------------------------- reading

/// False if it is not finite, or far off.
static bool take_vec(vni_number_reader* in, vni_vec* out) {
    out->x = vni_take_double(in);
    out->y = vni_take_double(in);
    out->z = vni_take_double(in);
    return out->x >= -MOST && out->x <= MOST && out->y >= -MOST && out->y <= MOST && out->z >= -MOST &&
           out->z <= MOST;
}

static bool take_corners(vni_number_reader* in, vni_waypoint_plan* plan) {
    bool good = true;
    for (uint32_t i = 0; i < plan->corner_count; ++i)
        good = take_vec(in, &plan->at[i]) && take_vec(in, &plan->out[i]) && good;
    return good;
}

static bool take_places(vni_number_reader* in, vni_waypoint_plan* plan) {
    bool good = true;
    for (uint32_t i = 0; i < plan->count; ++i) {
        vni_waypoint_place* place = &plan->places[i];
        place->a = vni_take_u32(in);
        place->b = vni_take_u32(in);
        place->t = vni_take_double(in);
        good = good && place->a < plan->corner_count && place->b < plan->corner_count && place->t >= 0 &&
               place->t <= 1;
    }

    return good;
}

/// Neighbours are other places of the plan.
static bool take_direct(vni_number_reader* in, vni_waypoint_plan* plan) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < plan->count; ++i) {
        plan->first[i] = (uint32_t)sum;
        sum += vni_take_u32(in);
        if (sum > plan->direct_count)
            return false;
    }

    plan->first[plan->count] = (uint32_t)sum;
    bool good = sum == plan->direct_count;
    for (uint32_t place = 0; good && place < plan->count; ++place)
        for (uint32_t i = plan->first[place]; i < plan->first[place + 1]; ++i) {
            plan->direct[i] = vni_take_u32(in);
            good = good && plan->direct[i] < plan->count && plan->direct[i] != place;
        }

    return good;
}

static bool make_arrays(vni_waypoint_plan* plan) {
    const vn_allocator* a = &plan->allocator;
    plan->at = VNI_NEW_ARRAY(a, vni_vec, plan->corner_count);
    plan->out = VNI_NEW_ARRAY(a, vni_vec, plan->corner_count);
    plan->places = VNI_NEW_ARRAY(a, vni_waypoint_place, plan->count);
    plan->first = VNI_NEW_ARRAY(a, uint32_t, (uint64_t)plan->count + 1);
    plan->direct = VNI_NEW_ARRAY(a, uint32_t, plan->direct_count);
    return (plan->corner_count == 0 || (plan->at != NULL && plan->out != NULL)) &&
           (plan->count == 0 || plan->places != NULL) && plan->first != NULL &&
           (plan->direct_count == 0 || plan->direct != NULL);
}

vn_status vni_waypoint_plan_read(const vn_allocator* allocator, float scale, double offset,
                                 vni_number_reader* in, vni_waypoint_plan** out, vn_detail* detail) {
    const uint32_t corners = vni_take_u32(in), places = vni_take_u32(in), direct = vni_take_u32(in);
    const uint64_t size = (uint64_t)corners * 48 + (uint64_t)places * 20 + (uint64_t)direct * 4;
    *out = NULL;
    if (places > VNI_WAYPOINTS_EACH || corners > places || !vni_numbers_have(in, size, 1))
        return vni_fail(detail, VN_BAD_FORMAT, "the saved waypoints are truncated, or too many");

    vni_waypoint_plan* plan = VNI_NEW(allocator, vni_waypoint_plan);
    if (plan == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the waypoints of an obstacle");
    *plan = (vni_waypoint_plan){.allocator = *allocator,
                                .references = 1,
                                .offset = offset,
                                .scale = scale,
                                .corner_count = corners,
                                .count = places,
                                .direct_count = direct};

    vn_status status = VN_OK;
    if (!make_arrays(plan))
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the waypoints of an obstacle");
    else if (!take_corners(in, plan) || !take_places(in, plan) || !take_direct(in, plan))
        status = vni_fail(detail, VN_BAD_FORMAT, "the saved waypoints of an obstacle are wrong");

    if (status == VN_OK)
        *out = plan;
    else
        vni_waypoint_plan_release(plan);
    return status;
}

static bool take_transform(vni_number_reader* in, vn_transform* out) {
    float numbers[8];
    bool good = true;
    for (int i = 0; i < 8; ++i) {
        numbers[i] = vni_take_float(in);
        good = good && (double)numbers[i] >= -MOST && (double)numbers[i] <= MOST;
    }

    *out = (vn_transform){
        {numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5], numbers[6]}, numbers[7]};
    return good && numbers[7] > 0;
}

static vn_status take_owner(vni_number_reader* in, vni_waypoints* w, vn_detail* detail) {
    vni_waypoint_owner owner = {0};
    const uint32_t last = w->owner_count > 0 ? w->owners[w->owner_count - 1].id.index1 : 0;
    owner.id.index1 = vni_take_u32(in);
    owner.id.generation = vni_take_u32(in);
    if (!take_transform(in, &owner.transform) || owner.id.index1 <= last || in->failed)
        return vni_fail_index(detail, VN_BAD_FORMAT, w->owner_count,
                              "obstacle %u of the saved waypoints is out of order, or its transform is wrong",
                              w->owner_count);

    const vn_status status =
        vni_waypoint_plan_read(&w->def.allocator, owner.transform.scale,
                               sqrt(3) * (w->def.radius + w->def.margin), in, &owner.plan, detail);
    if (status == VN_OK)
        w->owners[w->owner_count++] = owner;
    return status;
}

/// Bytes of an obstacle without waypoints.
#define LEAST_OWNER 52

vn_status vni_waypoints_read(const vni_waypoints_def* def, const vn_space* space, vni_number_reader* in,
                             vni_waypoints* out, vn_detail* detail) {
    vni_waypoints w = {.def = *def, .space = space};
    const uint32_t count = vni_take_u32(in);
    *out = (vni_waypoints){0};
    if (!vni_numbers_have(in, count, LEAST_OWNER))
        return vni_fail(detail, VN_BAD_FORMAT, "the saved waypoints are truncated");

    w.owner_capacity = count;
    w.owners = VNI_NEW_ARRAY(&def->allocator, vni_waypoint_owner, count);
    vn_status status = VN_OK;
    if (count > 0 && w.owners == NULL)
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u obstacles", count);
    for (uint32_t i = 0; status == VN_OK && i < count; ++i)
        status = take_owner(in, &w, detail);
    if (status == VN_OK && in->left > 0)
        status = vni_fail(detail, VN_BAD_FORMAT, "bytes that belong to nothing follow the saved waypoints");
    if (status == VN_OK)
        status = vni_waypoints_count(&w, detail);
    if (status != VN_OK) {
        vni_waypoints_free(&w);
        return status;
    }

    status = vni_waypoints_finish(&w, detail);
    *out = w;
    return status;
}
