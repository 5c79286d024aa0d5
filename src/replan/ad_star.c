/// replan/ad_star.c: AD* (Likhachev et al. 2005; Krafft 2019, 2.2.7): D* Lite in passes. The first has a
/// large weight on the bounds and finds a path soon; each next one has a smaller weight, and keeps what the
/// ones before it know. A node is settled once in a pass: if it becomes better after that, it waits for the
/// next.
#include "replan/ad_star.h"
#include "replan/family.h"

/// Above the marks of the core, and the one of any-angle planners: the number of the pass.
#define FIRST_STAMP (2u * VNI_PLAN_FIRST_MARK)

static uint32_t stamp_of(const vni_replan* r) {
    return r->anytime.serial * FIRST_STAMP;
}

static bool is_settled(const vni_replan* r, const vni_plan_node* node) {
    return (node->marks & ~(FIRST_STAMP - 1)) == stamp_of(r);
}

/// An under-consistent node never waits: paths over it are wrong.
bool vni_ad_waits(vni_lifelong* l, uint32_t id, vni_plan_node* node) {
    vni_replan* r = (vni_replan*)l->self;
    if (!r->anytime.in_pass || node->g < node->rhs || !is_settled(r, node))
        return false;
    if (!(node->marks & VNI_PLAN_LISTED))
        l->nodes.list[r->anytime.waiting++] = id;
    node->marks |= VNI_PLAN_LISTED;
    return true;
}

void vni_ad_expanded(vni_lifelong* l, uint32_t id, vni_plan_node* node) {
    (void)id;
    const vni_replan* r = (const vni_replan*)l->self;
    if (node->g > node->rhs)
        node->marks = (node->marks & (FIRST_STAMP - 1)) | stamp_of(r);
}

static void begin_pass(vni_replan* r) {
    // 29 bits of the marks: a run of passes this long does not happen, and would only make one of them settle
    // a node too few
    r->anytime.serial = (r->anytime.serial + 1) & 0x1fffffffu;
    r->anytime.in_pass = true;
    r->core.weight = r->anytime.weight;
    vni_lifelong_rekey(&r->core);
}

/// Those that waited become open.
void vni_ad_end_pass(vni_replan* r) {
    if (!r->anytime.in_pass)
        return;
    r->anytime.in_pass = false;
    const uint32_t count = r->anytime.waiting;
    r->anytime.waiting = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t id = r->core.nodes.list[i];
        vni_plan_at(&r->core.nodes, id)->marks &= ~(uint32_t)VNI_PLAN_LISTED;
        vni_lifelong_queue(&r->core, id);
    }
    vni_lifelong_flush(&r->core);
}

void vni_ad_begin(vni_replan* r) {
    vni_family_begin(r);
    r->anytime.weight = r->def.ad_first > r->def.ad_floor ? r->def.ad_first : r->def.ad_floor;
}

// ---------- changes

bool vni_ad_end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    r->anytime.has_path = false;
    return vni_family_end_changed(r, node, is_elsewhere);
}

/// Where much of what is known has changed at once, repairing costs more than it saves: a teleport of the
/// world, not a frame of it. On Krafft's scene (600 frames) shares from 0.03 to 100 give the same times
/// within noise, 0.01 twice and 0.001 ten times as much.
bool vni_ad_graph_changed(vni_replan* r, uint32_t nodes) {
    const double known = 64.0 * r->core.nodes.pages_used;
    if (r->core.listed > r->def.ad_restart * known)
        return false;
    if (nodes > 0)
        r->anytime.weight = r->def.ad_first > r->def.ad_floor ? r->def.ad_first : r->def.ad_floor;
    return vni_family_graph_changed(r, nodes);
}

/// The weight of the next pass. False: this was the last.
static bool lower_weight(vni_replan* r) {
    if (r->anytime.weight <= r->def.ad_floor)
        return false;
    r->anytime.weight -= r->def.ad_step;
    if (r->anytime.weight < r->def.ad_floor)
        r->anytime.weight = r->def.ad_floor;
    return true;
}

vn_status vni_ad_step(vni_replan* r, uint64_t budget, bool (*mend)(vni_replan* r, uint32_t* flaws)) {
    for (uint32_t flaws = 0;;) {
        if (!r->anytime.in_pass)
            begin_pass(r);
        const vn_status status = vni_lifelong_step(&r->core, &budget);
        if (status == VN_RUNNING)
            return status;
        vni_ad_end_pass(r);
        if (status != VN_OK)
            return status;

        if (mend == NULL || !mend(r, &flaws)) {
            r->anytime.has_path = true;
            r->bound = r->anytime.weight;
            if (!lower_weight(r))
                return VN_OK;
        } else if (budget > 0) {
            --budget; // so that a slice ends in any case
        }
        if (budget == 0)
            return VN_RUNNING;
    }
}

static vn_status step(vni_replan* r, uint64_t budget) {
    return vni_ad_step(r, budget, NULL);
}

const vni_planner_kind vni_plan_ad = {
    .name = "ad-star",
    .backward = true,
    .needs = VN_GRAPH_REVERSES,
    .rules = {.waits = vni_ad_waits, .expanded = vni_ad_expanded},
    .begin = vni_ad_begin,
    .pause = vni_ad_end_pass, // the list of those that wait is the list of those to look at
    .end_changed = vni_ad_end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_ad_graph_changed,
    .apply = vni_family_apply,
    .step = step,
};
