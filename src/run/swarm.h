/// run/swarm.h: runs of a crowd among boxes that slide, and boxes that stand or a world of volnav/sim.h: what
/// the scenes of crowds share. Private to run.
#ifndef VNI_RUN_SWARM_H
#define VNI_RUN_SWARM_H

#include "run/run_inside.h"
#include "volnav/crowd.h"

#define VNI_SWARM_AGENTS  256
#define VNI_SWARM_BOXES   256
#define VNI_SWARM_SLIDERS 32
#define VNI_SWARM_ZONES   8

/// A box that goes to and fro between two places, and waits at each.
typedef struct vni_slider {
    vn_dvec3 first, second; ///< of its centre
    vn_dvec3 half;          ///< half of its edges
    double speed, pause;    ///< metres per second, seconds
    double offset;          ///< seconds that are added to the time
} vni_slider;

typedef struct vni_swarm_agent {
    vn_agent_id id;
    vn_dvec3 at, to; ///< in this step
    bool arrived;    ///< at first too: it has no goal yet
    bool lost;       ///< there is no way to its goal
} vni_swarm_agent;

typedef struct vni_swarm vni_swarm;

/// What makes a scene different.
typedef struct vni_swarm_scene {
    const char* world; ///< the scene of volnav/sim.h that stands there; null: the boxes of `build`
    vn_box bounds;     ///< without `world`
    float scale;       ///< of all distances that agents keep; 0: 1
    float spread;      ///< part by which the speed of an agent may differ, both ways
    float resolution, speed, acceleration;
    float body;       ///< radius of an agent, metres
    float radius;     ///< ... with the margin that it flies with: neighbours in a throng come a little nearer
    uint32_t sliders; ///< as many move by default

    /// Adds boxes, sliders and zones to the swarm.
    void (*build)(vni_swarm* swarm);

    /// Gives agents that need one another goal. Called after each step, and once before the first.
    vn_status (*guide)(vni_swarm* swarm);
} vni_swarm_scene;

struct vni_swarm {
    vn_run* run;
    const vni_swarm_scene* scene;
    uint64_t random;
    vn_nav* nav;
    vn_crowd* crowd;
    vn_box bounds;
    vn_world* truth;  ///< of a scene with `world`: for the judge; null: boxes
    vn_space* places; ///< with `truth`: free where an agent may begin, and for its goals

    vn_box boxes[VNI_SWARM_BOXES];
    vn_zone_def zones[VNI_SWARM_ZONES];
    vni_slider sliders[VNI_SWARM_SLIDERS];
    vn_obstacle_id slider_ids[VNI_SWARM_SLIDERS];
    vn_dvec3 slider_at[VNI_SWARM_SLIDERS], slider_to[VNI_SWARM_SLIDERS]; ///< in this step
    vni_swarm_agent agents[VNI_SWARM_AGENTS];
    double since[VNI_SWARM_AGENTS]; ///< seconds: scenes use it for their groups
    uint32_t box_count, slider_count, zone_count;

    vni_run_times times;
    vn_run_agent shown[VNI_SWARM_AGENTS];
    vn_run_thing things[VNI_SWARM_BOXES + VNI_SWARM_SLIDERS];
    vn_zone shown_zones[VNI_SWARM_ZONES];
    uint8_t at_box[VNI_SWARM_AGENTS], at_slider[VNI_SWARM_AGENTS][VNI_SWARM_SLIDERS];
    uint8_t at_agent[VNI_SWARM_AGENTS][VNI_SWARM_AGENTS];
};

/// For the tables of the scenes.
vn_status vni_swarm_make(vn_run* run, const vni_swarm_scene* scene, void** self, vn_detail* detail);
vn_status vni_swarm_step(void* self, vn_detail* detail);
void vni_swarm_view(void* self, vn_run_view* out);
void vni_swarm_free(void* self);

/// For `build`: beyond the capacity nothing is added.
void vni_swarm_add_box(vni_swarm* swarm, vn_dvec3 low, vn_dvec3 high);
void vni_swarm_add_slider(vni_swarm* swarm, vni_slider slider);
void vni_swarm_add_zone(vni_swarm* swarm, vn_dvec3 low, vn_dvec3 high, double factor);

double vni_swarm_draw(vni_swarm* swarm, double low, double high);

/// A place at least `away` metres from all boxes and from the bounds; sliders are not looked at.
vn_dvec3 vni_swarm_draw_place(vni_swarm* swarm, double away);

/// Another goal for each agent that has reached its own, or cannot.
vn_status vni_swarm_send_on(vni_swarm* swarm, double away);

/// Another goal for an agent.
vn_status vni_swarm_send(vni_swarm* swarm, uint32_t agent, vn_dvec3 goal);

/// Where a slider is at a time.
vn_dvec3 vni_slider_at(const vni_slider* slider, double seconds);

/// Judges the step that agents and sliders have just made.
void vni_swarm_judge(vni_swarm* swarm);

#endif
