/// volnav/game.h: "Lost in Space" (Krafft 2019, 2.1 and 4.1.1): a player flies through asteroids that
/// surround it, hunted by enemies. A game with inputs, state and events; drawing it is the host's. Library
/// volnav_sim.
///
///   vn_game_create  ->  vn_game_step with the input of each frame  ->  vn_game_get_view
///
/// A game is a function of its def and its inputs: the same ones give the same bytes on every machine. Up is
/// +y; angles are in turns (1 is 360 degrees). Whoever moves in a step moves straight, and all contacts are
/// found by the exact least distance of balls within the step.
///
/// Nothing appears within an agent's stopping distance + radius (Krafft 2019, 4.4.4, for all that appears):
/// not even with what the new thing flies while the agent brakes from its greatest speed. Where there is no
/// such place it waits.
#ifndef VOLNAV_GAME_H
#define VOLNAV_GAME_H

#include "volnav/base.h"
#include "volnav/math.h"

#define VN_MAX_GAME_ASTEROIDS 4096u
#define VN_MAX_GAME_ENEMIES   64u
#define VN_MAX_GAME_SHOTS     256u
#define VN_MAX_GAME_EVENTS    256u

typedef enum vn_game_field {
    /// A sphere, flattened along y, in overlapping layers with the same number of asteroids each. It moves
    /// with the player: asteroids that are left behind appear at its rim again, heading inward as the player
    /// sees it. Large ones are slower. The player flies at constant speed, and steers by yaw and pitch.
    VN_GAME_SPHERE = 0,

    /// The older game: circles around a centre, level with the player, that all shrink towards it and arrive
    /// as waves. An asteroid that reaches the centre begins again at the outermost circle. The player faces
    /// outward on an orbit around the centre, and moves left and right on it by yaw.
    VN_GAME_CIRCLES = 1
} vn_game_field;

/// How enemies fly.
typedef enum vn_game_hunt {
    VN_GAME_PILOTS = 0,  ///< by a pilot of group 6 each (volnav/pilot.h), to where they meet the player
    VN_GAME_STRAIGHT = 1 ///< straight at the player, whatever is in between: the thesis's default
} vn_game_hunt;

typedef struct vn_game_gun {
    double damage;     ///< to the health of enemies; asteroids are destroyed by any shot
    double speed;      ///< of a shot, relative to the player, metres per second
    double range;      ///< metres that a shot flies, relative to the player
    double pause;      ///< seconds between two shots of one side
    double reload;     ///< seconds
    uint32_t magazine; ///< shots
} vn_game_gun;

typedef struct vn_game_def {
    vn_allocator allocator;
    uint64_t seed;
    double step; ///< seconds, 0.001 to 0.1 (default 1/60)
    vn_game_field field;
    vn_game_hunt hunt;

    uint32_t asteroids;            ///< at most VN_MAX_GAME_ASTEROIDS (default 400)
    double rim;                    ///< radius of the sphere, or of the outermost circle, metres (default 60)
    double height;                 ///< half of the flattened axis, metres (default 24)
    uint32_t layers;               ///< of the sphere, 1 to 64 (default 6)
    double overlap;                ///< part of its height that a layer reaches into the next (default 0.25)
    double radius_min, radius_max; ///< of asteroids, metres (default 0.5 and 3)
    double speed_fast, speed_slow; ///< of the smallest and the largest, metres per second (default 3 and 0.5)
    uint32_t circles; ///< 1 to 64 (default 5); all their asteroids fly at the mean of the two speeds
    double orbit;     ///< of the player in the circles, metres (default 8)

    double player_radius; ///< metres (default 1)
    double player_speed;  ///< metres per second (default 4)
    double player_turn;   ///< turns per second at full yaw or pitch (default 0.25)
    double player_look;   ///< of the camera, likewise (default 0.5)
    double player_health; ///< default 100; 0: damage is counted, but the game goes on
    double hit_damage;    ///< to the player, by an asteroid (default 10)
    double catch_damage;  ///< by an enemy (default 25)
    vn_game_gun guns[2];

    uint32_t enemies;          ///< at most VN_MAX_GAME_ENEMIES (default 20)
    double enemy_radius;       ///< metres (default 0.75)
    double enemy_speed;        ///< metres per second (default 6)
    double enemy_max_speed;    ///< to get out of the way (default 8)
    double enemy_acceleration; ///< metres per second squared (default 8)
    double enemy_health;       ///< default 3
    double crash_damage;       ///< to an enemy, by an asteroid (default 1)

    double control; ///< seconds between two decisions of a pilot, rounded to steps (default 0.1)
    double horizon; ///< of the pilots, seconds (default 2)
    double radar;   ///< of the pilots, metres; 0 (default): all that they can meet within the horizon
    double spacing; ///< metres by which pilots take other enemies for larger: these turn too (default 0.75)

    double win_seconds;    ///< the player wins when it lives that long; 0 (default): never
    uint32_t win_kills;    ///< ... or has destroyed so many enemies; 0 (default): never
    double (*clock)(void); ///< CPU seconds, for the times in the stats; null: not measured
    uint32_t cookie;
} vn_game_def;

VN_API vn_game_def vn_default_game_def(void);

/// What the player does in a step. Sticks are -1 to 1; values beyond are cut off.
typedef struct vn_game_input {
    double yaw, pitch;           ///< right and up are positive
    double look_yaw, look_pitch; ///< turns the camera against the ship; shots fly where it looks
    bool look_ahead;             ///< the camera back to where the ship flies
    bool shoot_left, shoot_right;
    bool reload;
    bool switch_gun; ///< once for each step in which it is set; a reload goes on while its gun is held
} vn_game_input;

typedef enum vn_game_event_kind {
    VN_GAME_FIRED = 0,           ///< index: the gun
    VN_GAME_OUT_OF_AMMO = 1,     ///< a trigger was pulled on an empty magazine; index: the gun
    VN_GAME_RELOADED = 2,        ///< index: the gun
    VN_GAME_SWITCHED = 3,        ///< index: the gun now held
    VN_GAME_HIT = 4,             ///< asteroid `index` hit the player; it appears elsewhere
    VN_GAME_CAUGHT = 5,          ///< enemy `index` reached the player; it appears elsewhere
    VN_GAME_CRASHED = 6,         ///< enemy `index` began to touch asteroid `other`
    VN_GAME_TOUCHED = 7,         ///< enemy `index` began to touch enemy `other`
    VN_GAME_DESTROYED = 8,       ///< asteroid `index`, by a shot
    VN_GAME_HURT = 9,            ///< enemy `index`, by a shot
    VN_GAME_KILLED = 10,         ///< enemy `index` lost its health, by shot or asteroid
    VN_GAME_ENEMY_APPEARED = 11, ///< enemy `index`, at the rim
    VN_GAME_WON = 12,
    VN_GAME_LOST = 13
} vn_game_event_kind;

typedef struct vn_game_event {
    vn_game_event_kind kind;
    uint32_t index, other;
    vn_dvec3 position; ///< of what it is about, metres
} vn_game_event;

typedef enum vn_game_end { VN_GAME_GOING = 0, VN_GAME_ENDED_WON = 1, VN_GAME_ENDED_LOST = 2 } vn_game_end;

typedef struct vn_game_player {
    vn_dvec3 position, velocity;
    vn_dvec3 forward, look;      ///< directions of length 1: the ship's, and the camera's
    double yaw, pitch;           ///< of the ship, turns
    double look_yaw, look_pitch; ///< of the camera against the ship
    double health;               ///< below 0 only if the def has none
    uint32_t gun;                ///< held: 0 or 1
    uint32_t ammunition[2];      ///< left in the magazines
    double reload_left[2];       ///< seconds; 0: not reloading
} vn_game_player;

/// An asteroid, an enemy or a shot.
typedef struct vn_game_thing {
    vn_dvec3 position, velocity;
    double radius; ///< 0: a shot
    double health; ///< enemies
    uint64_t id;   ///< another one each time it appears
    bool present;  ///< false: waits for a place to appear
    bool verified; ///< enemies with a pilot: see vn_pilot_state
} vn_game_thing;

/// Counts since the game began.
typedef struct vn_game_stats {
    uint64_t steps;
    uint32_t hits, caught;     ///< of the player, by asteroids and by enemies
    uint32_t crashes, touches; ///< of enemies, with asteroids and with each other; what lasts counts once
    uint32_t destroyed, kills; ///< by shots: asteroids, enemies
    uint32_t shots, misses;    ///< fired, and flown to their end
    uint32_t deaths;           ///< enemies without health, crashes included
    uint32_t appeared;         ///< asteroids and enemies, after the start
    double clearance;          ///< least distance of an enemy's surface from an asteroid's, metres
    double enemy_clearance;    ///< the same of two enemies
    uint64_t pilot_steps, stopped, unverified; ///< as in vn_pilot_stats
    double navigation;                         ///< CPU seconds of all enemies together, in all steps ...
    double last_navigation, worst_navigation;  ///< ... in the last one, and in the worst
} vn_game_stats;

/// The state after the last step. The arrays live until the next one.
typedef struct vn_game_view {
    double seconds;
    vn_game_end end;
    vn_game_player player;
    const vn_game_thing* asteroids;
    const vn_game_thing* enemies;
    const vn_game_thing* shots;
    const vn_game_event* events; ///< of the last step, in the order in which they happened
    uint32_t asteroid_count, enemy_count, shot_count;
    uint32_t event_count;   ///< kept: at most VN_MAX_GAME_EVENTS
    uint32_t events_in_all; ///< of the last step
    vn_dvec3 centre;        ///< of the field
} vn_game_view;

typedef struct vn_game vn_game;

/// A game at time 0, with everything in place that found a place. VN_BAD_DEF; VN_BAD_ARGUMENT: the detail
/// says which field; VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_game_create(const vn_game_def* def, vn_game** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_game_destroy(vn_game* game);

/// One step. VN_RUNNING: the game goes on. VN_OK: it is won or lost; further steps change nothing.
/// VN_BAD_ARGUMENT: an input that is not finite; nothing has changed. O(asteroids * enemies); allocates
/// nothing.
VN_NODISCARD vn_status vn_game_step(vn_game* game, const vn_game_input* input);

VN_API void vn_game_get_view(vn_game* game, vn_game_view* out);
VN_API void vn_game_get_stats(const vn_game* game, vn_game_stats* out);

/// Metres from an enemy's centre within which no surface of a thing appears that flies at `speed`.
VN_API double vn_game_enemy_keep(const vn_game* game, double speed);

/// A scripted player: the input that it gives now. It follows a course that changes every eight seconds,
/// avoids asteroids and enemies as well as steering allows, and shoots at the nearest enemy, or else at the
/// nearest asteroid. A function of the state, the seed and the time.
VN_API void vn_game_script(const vn_game* game, vn_game_input* out);

#endif
