/// volnav/draw/flight.h: two flights through moving obstacles side by side, from above, as an animated SVG: a
/// camera follows each ship. Viewers that want less motion, or know none, see one moment of it.
#ifndef FLIGHT_H
#define FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "volnav/math.h"

enum { FLIGHT_SHIPS = 2 };

/// What a camera shows around its ship, metres along x and z, and how far above and below it.
#define FLIGHT_WIDE  44.0
#define FLIGHT_DEEP  30.0
#define FLIGHT_REACH 6.0

/// Where a ship is at a time.
typedef struct flight_key {
    double seconds;
    vn_dvec3 position;
} flight_key;

/// Something that flies straight while the camera shows it.
typedef struct flight_body {
    uint64_t id;
    double begin, end; ///< seconds
    vn_dvec3 position; ///< at `begin`, metres
    vn_dvec3 velocity; ///< metres per second
    double radius;
    double near;   ///< least distance from the ship as seen from above, metres ...
    double height; ///< ... and the difference of their heights then
    bool hits;     ///< it touches the ship
} flight_body;

/// A box that stands.
typedef struct flight_rock {
    vn_box box;
    double near, height; ///< as those of a body, from the ship to the middle of the box
} flight_rock;

typedef struct flight_ship {
    const char* name;
    double radius; ///< metres
    flight_key* keys;
    uint32_t key_count, key_capacity;
    flight_body* bodies;
    uint32_t body_count, body_capacity;
    flight_rock* rocks;
    uint32_t rock_count, rock_capacity;
    double* hits; ///< seconds at which it touches something that moves, ascending
    uint32_t hit_count, hit_capacity;
} flight_ship;

typedef struct flight_plan {
    const char *title, *subtitle;
    vn_dvec3 start, goal;
    flight_ship* ships; ///< FLIGHT_SHIPS
    double seconds;     ///< of the longer flight
    double moment;      ///< seconds: what is seen without motion
} flight_plan;

/// Returns EXIT_DONE, or EXIT_BAD after a message.
int flight_write(const char* path, const flight_plan* plan);

#endif
