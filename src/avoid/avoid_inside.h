/// avoid/avoid_inside.h: a vn_avoid: what is kept for each agent, obstacle and strait; private to the module.
///
/// A step reads `bodies` and writes `next`; then the two change places. What neighbours read of an agent is
/// one cache line; the rest lies in arrays of its own, which only the agent's own turn writes.
#ifndef VNI_AVOID_INSIDE_H
#define VNI_AVOID_INSIDE_H

#include "avoid/lp.h"
#include "base/idpool.h"
#include "space/space.h"
#include "volnav/avoid.h"

/// Obstacles that an agent lists, and cells of the index that an obstacle fills before it counts as large.
#define VNI_LISTED_OBSTACLES 6
#define VNI_OBSTACLE_CELLS   27

/// Boxes whose other faces are tried if the planes of all contradict each other, and faces of each.
#define VNI_TRIED_BOXES 3
#define VNI_TRIED_FACES 4

/// More than any speed or distance.
#define VNI_FAR_AWAY 1e30

/// A free box is kept for so many intervals of `refresh`, unless its agent comes to its end before.
#define VNI_BOX_LIFE 4

/// What others see of an agent: 64 bytes.
typedef struct vni_seen {
    vni_vec position;
    vn_vec3 velocity;
    float radius;
    vn_vec3 wish; ///< preferred velocity, not longer than the maximum speed
    float weight; ///< 1 + priority; more while it passes a strait
    float alert;  ///< seconds for which it still keeps to its lane
} vni_seen;

/// The free box around an agent, world metres; its faces 2k (low) and 2k + 1 (high) of axis k.
typedef struct vni_free_box {
    vni_vec low, high;
    uint32_t walls; ///< bit f: face f stands before a blocked voxel or the bounds; otherwise it is a limit
    bool valid;     ///< false: the position is not free
    bool crosses;   ///< the next step only moves the agent to `over`, across the face of its voxel
    vni_vec over;
} vni_free_box;

typedef struct vni_limits {
    float speed, acceleration;
    float climb;             ///< 0: no limit
    float weight;            ///< 1 + priority
    float list_due, box_due; ///< seconds until the list and the box are made again
    float held;              ///< as in vn_avoid_state
    uint32_t disturbed;      ///< steps until the short way (calm.c) is tried again; 0: it led on. No result
                             ///< depends on it
} vni_limits;

typedef enum vni_phase { VNI_FAR, VNI_WAITS, VNI_PASSES, VNI_LEAVES } vni_phase;

/// An agent at a strait.
typedef struct vni_turn {
    uint32_t strait; ///< slot; meaningless if the phase is VNI_FAR
    uint8_t phase;   ///< vni_phase
    int8_t side;     ///< +1: passes towards higher coordinates, -1: lower
    uint8_t rank;    ///< while it passes: how many are before it and not yet inside
    bool inside;     ///< while it passes: it has entered
    uint16_t near;   ///< slot + 1 of the nearest strait in reach; 0: none
    float distance;  ///< metres to the mouth
    float order;     ///< metres: the least comes first
    float late;      ///< seconds in the file, less those since; while it leaves: since it came out
} vni_turn;

/// Agents that line up before a strait.
#define VNI_FILE 4

/// A strait and whose turn it is.
typedef struct vni_strait {
    vn_avoid_strait def;
    int32_t side;                        ///< direction that may pass; 0: none has yet
    uint32_t batch;                      ///< entered since the direction changed
    uint32_t inside;                     ///< counted anew in each step, as the next ones
    uint32_t leaving;                    ///< still near the exit
    uint32_t waiting[2];                 ///< before the mouths, those in the file too; [1]: of side +1
    uint32_t file[VNI_FILE], file_count; ///< slots of the first before the mouth of `side`, by order
} vni_strait;

typedef struct vni_mover {
    vn_avoid_obstacle def;
    vni_vec axis[3], velocity;
    double size;  ///< radius of the ball around it
    double since; ///< seconds since its position was set
} vni_mover;

/// An entry of the index: position relative to `base`.
typedef struct vni_entry {
    vn_vec3 at;
    uint32_t slot, bucket;
    float row;
} vni_entry;

/// Hash buckets; those of neighbouring cells along x follow each other, so that a row of cells is one run.
typedef struct vni_index {
    float* at[3]; ///< of the entries, by axis; sorted by bucket, as the next ones
    uint32_t* slots;
    float* rows; ///< names of their rows of cells
    vni_entry* unsorted;
    uint32_t* starts; ///< by bucket; one more than buckets
    uint32_t mask, capacity;
    uint32_t count;
    vni_vec base;
    uint32_t rings, cells; ///< cells along the range of a query: now, and in the next step
    float scale;           ///< cells a metre
    float edge;            ///< metres a cell, rounded
} vni_index;

struct vn_avoid {
    vn_avoid_def def;
    vni_idpool agent_ids, obstacle_ids;
    vni_seen *bodies, *next;
    vni_limits* limits;
    vni_free_box* boxes;
    const vn_space** spaces;
    uint32_t* lists;          ///< VN_AVOID_MAX_NEIGHBOURS for each agent
    uint16_t* obstacle_lists; ///< VNI_LISTED_OBSTACLES for each agent
    uint8_t *list_counts, *obstacle_counts;
    vni_turn* turns;
    uint32_t* live; ///< slots of the agents, ascending
    uint32_t live_count;
    bool live_is_old;
    vni_mover* movers;
    uint32_t* large; ///< slots of the obstacles that fill too many cells
    uint32_t large_count;
    vni_strait* straits;
    uint32_t strait_count;
    vni_index agent_index, obstacle_index;
    float widest, fastest; ///< greatest radius and speed of the agents
    float dt;              ///< of the running step
    uint64_t step;
};

static inline vni_vec vni_wide(vn_vec3 v) {
    return vni_v_from(v);
}
static inline vn_vec3 vni_narrow(vni_vec v) {
    return (vn_vec3){(float)v.x, (float)v.y, (float)v.z};
}
static inline double vni_axis(vni_vec v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// A coordinate of a vector by its axis, to read and write. Not (&v.x)[axis]: that reaches beyond x, and
/// compilers may then leave y and z unwritten.
#define VNI_AXIS(v, axis) (*((axis) == 0 ? &(v).x : (axis) == 1 ? &(v).y : &(v).z))

/// Unit vector to the right of a direction (any length), square to it: as seen upright, or if it is vertical
/// as seen with the next axis up. Of the opposite direction it is the opposite. Zero for zero.
vni_vec vni_right_of(const vn_avoid* avoid, vni_vec direction);

/// An agent or an obstacle near an agent.
typedef struct vni_near {
    uint32_t slot;
    float gap; ///< between the bodies, metres
} vni_near;

/// Adds one to the nearest, at most `most`, which are sorted by gap, then slot.
static inline void vni_offer(vni_near* near, uint32_t* count, uint32_t most, uint32_t slot, float gap) {
    uint32_t at = *count;
    if (at < most)
        ++*count;
    else if (gap > near[at - 1].gap || (gap == near[at - 1].gap && slot > near[at - 1].slot))
        return;
    else
        --at;

    for (; at > 0; --at) {
        const vni_near before = near[at - 1];
        if (before.gap < gap || (before.gap == gap && before.slot < slot))
            break;
        near[at] = before;
    }

    near[at].slot = slot;
    near[at].gap = gap;
}

// ---------- index.c

bool vni_index_make(vni_index* index, const vn_allocator* allocator, uint32_t capacity);
void vni_index_free(vni_index* index, const vn_allocator* allocator);
size_t vni_index_bytes(const vni_index* index);

/// Sorts the agents and the obstacles into buckets. Also brings `live`, `widest` and `fastest` up to date.
void vni_index_update(vn_avoid* avoid);

/// Lists the neighbours and the obstacles of an agent anew.
void vni_list_neighbours(vn_avoid* avoid, uint32_t slot);

typedef struct vni_moment vni_moment;

/// The nearest of the listed agents, as they are now: fills `near`.
void vni_gather(const vn_avoid* avoid, vni_moment* m);

// ---------- free_box.c

/// Makes the free box of an agent anew. False if its position is not free.
bool vni_free_box_grow(vn_avoid* avoid, uint32_t slot);

/// Is the free box too old, or does its agent come to its end?
bool vni_free_box_is_due(const vn_avoid* avoid, uint32_t slot);

// ---------- wish.c

/// The faces by which an agent may pass a box, the one with most to spare first.
typedef struct vni_box_faces {
    vni_plane planes[VNI_TRIED_FACES];
    double room[VNI_TRIED_FACES]; ///< metres a second that the present velocity has to spare
    uint32_t count, index;        ///< `index`: in the programme
} vni_box_faces;

/// What an agent does in one step.
struct vni_moment {
    uint32_t slot, near_count;
    const vni_seen* body;
    const vni_free_box* box;                ///< null: no walls
    vni_near near[VN_AVOID_MAX_NEIGHBOURS]; ///< that count in this step, nearest first
    vni_vec wish;
    double room[3]; ///< between walls on both sides, metres; very large if there are none
    vni_programme lp;
    vni_box_faces tried[VNI_TRIED_BOXES]; ///< of the nearest boxes
    uint32_t boxes_tried;
};

/// Agents cannot pass each other across walls that leave less than this share of their radii's sum.
#define VNI_THIN 0.75

/// Are walls on both sides so near that agents with this sum of radii cannot pass each other?
static inline bool vni_is_thin(const vni_moment* m, double reach) {
    const double most = VNI_THIN * reach;
    return m->room[0] < most || m->room[1] < most || m->room[2] < most;
}

/// Turns the wish: lanes, bias, a small offset by id. Adds hard planes of lanes. Returns the alert that
/// remains.
float vni_turn_wish(const vn_avoid* avoid, vni_moment* m);

/// The alert that an agent has left of its own.
static inline float vni_alert_left(const vn_avoid* avoid, const vni_seen* body) {
    const float alert = body->alert - avoid->dt;
    return alert > 0 ? alert : 0;
}

/// Seconds of an alert that are lost from neighbour to neighbour.
#define VNI_ALERT_STEP 0.25f

/// Goes another agent the same way, and knows nothing new to one with so much alert? Most do.
static inline bool vni_says_nothing(const vni_moment* m, const vni_seen* other, float alert) {
    return vni_dot(m->wish, vni_wide(other->wish)) >= 0 && other->alert - VNI_ALERT_STEP <= alert;
}

// ---------- calm.c

/// Would the listed agents not turn the wish, and would their planes all allow this velocity? False also
/// where that is not clear.
bool vni_is_left_alone(const vn_avoid* avoid, const vni_moment* m, vni_vec velocity);

// ---------- straits.c

/// Decides who passes; serial.
void vni_straits_update(vn_avoid* avoid);

/// Looks for the strait that an agent may be heading for.
void vni_straits_look(vn_avoid* avoid, uint32_t slot);

/// Leads an agent that passes, keeps one that waits away. Returns false if the agent has nothing to do with a
/// strait.
bool vni_straits_lead(const vn_avoid* avoid, vni_moment* m);

// ---------- planes.c

void vni_add_walls(const vn_avoid* avoid, vni_moment* m);
/// The plane of one box (boxes.c), for `horizon` seconds; `contact`: seconds in which bodies that overlap
/// part; `may_try`: its other faces may be tried later.
void vni_add_box(vni_moment* m, const vni_mover* mover, vni_vec center, double horizon, double contact,
                 bool may_try);

/// The same obstacles as if they turned round now, where they may: last, for these planes go first if all
/// cannot be kept.
void vni_add_reversals(const vn_avoid* avoid, vni_moment* m);
/// Where an obstacle is now, if it was not told for some steps.
static inline vni_vec vni_mover_center(const vni_mover* mover) {
    const vn_dvec3 at = mover->def.position;
    return vni_add_scaled(vni_v(at.x, at.y, at.z), mover->velocity, mover->since);
}

/// Replaces a velocity that leads into an obstacle within a second by one that does not, or less (escape.c).
/// `is_careful`: also one that turns round now, if it may.
void vni_escape(const vn_avoid* avoid, const vni_moment* m, bool is_careful, vni_vec* velocity);

/// For planes that contradict each other: a velocity by other faces of the boxes, if it violates less.
void vni_try_other_faces(vni_moment* m, vni_vec* velocity);
void vni_add_obstacles(const vn_avoid* avoid, vni_moment* m);
void vni_add_neighbours(const vn_avoid* avoid, vni_moment* m);

// ---------- push.c

/// The velocity of an agent in the mode VN_AVOID_PUSH.
vni_vec vni_pushed(const vn_avoid* avoid, const vni_moment* m);

#endif
