/// follow/turn.h: turns a direction no faster than an agent can.
#ifndef VNI_FOLLOW_TURN_H
#define VNI_FOLLOW_TURN_H

#include "geom/vec.h"
#include "volnav/follow.h"

/// The forward direction turned towards `to` (unit) by at most the turn rate.
vni_vec vni_steering_turn(const vn_steering_def* def, double dt, vni_vec forward, vni_vec to);

#endif
