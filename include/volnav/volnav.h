/// volnav/volnav.h: the whole core in one include. Reading and writing files is separate, in volnav/io.h.
#ifndef VOLNAV_H
#define VOLNAV_H

#include "volnav/avoid.h"
#include "volnav/base.h"
#include "volnav/changes.h"
#include "volnav/crowd.h"
#include "volnav/curve.h"
#include "volnav/draw.h"
#include "volnav/follow.h"
#include "volnav/fuel.h"
#include "volnav/graph.h"
#include "volnav/layers.h"
#include "volnav/math.h"
#include "volnav/nav.h"
#include "volnav/path.h"
#include "volnav/pilot.h"
#include "volnav/query.h"
#include "volnav/space.h"
#include "volnav/store.h"
#include "volnav/world.h"

#endif
