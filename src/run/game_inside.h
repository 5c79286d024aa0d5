/// run/game_inside.h: a game of Lost in Space from inside. Private to run.
#ifndef VNI_RUN_GAME_INSIDE_H
#define VNI_RUN_GAME_INSIDE_H

#include "run/run_inside.h"
#include "sim/mover.h"
#include "sim/turn.h"
#include "volnav/game.h"

/// How often a place is drawn in one step before a thing waits for the next.
#define VNI_GAME_TRIES 64

/// Enemies farther away than this times the rim appear anew.
#define VNI_GAME_LEASH 1.5

/// A ball in one step.
typedef struct vni_game_body {
    vn_dvec3 at, to;   ///< where it is at the beginning and at the end
    double way;        ///< from one to the other, metres
    vn_dvec3 velocity; ///< metres per second
    double radius;
    uint64_t id;
    uint32_t lives; ///< how often it has appeared
    bool present;
} vni_game_body;

typedef struct vni_game_enemy {
    vni_game_body body;
    double health;
    bool verified;
    vn_pilot* pilot; ///< null: flies straight
    vn_dvec3 base;   ///< where its last decision began ...
    uint32_t flown;  ///< ... and the steps since
} vni_game_enemy;

typedef struct vni_game_shot {
    vni_game_body body;
    double damage;
    double left; ///< seconds
} vni_game_shot;

struct vn_game {
    vn_game_def def;
    uint64_t random;
    uint32_t control_steps; ///< steps between two decisions of a pilot
    double control;         ///< the same in seconds
    vn_game_end end;
    vn_game_stats stats;

    vn_game_player player;
    vni_game_body ship; ///< of the player
    double pause[2];    ///< seconds until the left and the right side can shoot again
    vn_dvec3 centre;    ///< of the field

    vni_game_body* asteroids;
    vni_game_enemy* enemies;
    vni_game_shot shots[VN_MAX_GAME_SHOTS];
    uint32_t shot_count;
    uint8_t* touching; ///< enemies x (asteroids, enemies): they touch now

    vn_game_event events[VN_MAX_GAME_EVENTS];
    uint32_t event_count; ///< of all, kept or not

    vn_world* world; ///< empty: pilots see asteroids as what moves
    vn_space* space;
    vn_dvec3 anchor; ///< the origin of the space, in the game: it follows the player in leaps
    vn_sighting* sightings;

    vn_game_thing* things; ///< for views: asteroids, enemies, shots
};

// ------------------------------------------------------------------------------------------------ game.c

void vni_game_note(vn_game* game, vn_game_event_kind kind, uint32_t index, uint32_t other, vn_dvec3 position);

/// Its end of step, from its velocity.
void vni_game_drift(vni_game_body* body, double step);

/// Puts a body somewhere: at rest there until it moves.
void vni_game_put(vni_game_body* body, vn_dvec3 at, vn_dvec3 velocity);

// ------------------------------------------------------------------------------------------- game_field.c

/// All asteroids, at the start.
void vni_game_fill(vn_game* game);

/// Brings back those that have left the field, were destroyed or wait.
void vni_game_refill(vn_game* game);

/// Where a place is in the field: 0 in the centre, 1 at the rim.
double vni_game_depth(const vn_game* game, vn_dvec3 place);

/// May a thing of this radius and speed appear there?
bool vni_game_may_appear(const vn_game* game, vn_dvec3 place, double radius, double speed);

/// Metres from the player's centre, as vn_game_enemy_keep.
double vni_game_player_keep(const vn_game* game, double speed);

/// A height within a layer, and a place at the rim of that height.
double vni_game_draw_height(vn_game* game, uint32_t layer);
vn_dvec3 vni_game_draw_rim(vn_game* game, double height);

// ------------------------------------------------------------------------------------------ game_player.c

/// A direction of length 1.
vn_dvec3 vni_game_direction(double yaw, double pitch);

void vni_game_begin_player(vn_game* game);

/// Turns ship and camera, and sets where the ship is at the end of the step.
void vni_game_steer(vn_game* game, const vn_game_input* input);

/// Guns and new shots.
void vni_game_shoot(vn_game* game, const vn_game_input* input);

// ----------------------------------------------------------------------------------------- game_enemies.c

vn_status vni_game_make_pilots(vn_game* game, vn_detail* detail);
void vni_game_free_pilots(vn_game* game);

/// Lets those that are due decide, and sets where all are at the end of the step.
vn_status vni_game_hunt(vn_game* game);

/// Brings back those that are gone, or too far away.
void vni_game_revive(vn_game* game, bool is_start);

// -------------------------------------------------------------------------------------------- game_hits.c

/// All contacts within the step, with what follows from them.
void vni_game_collide(vn_game* game);

/// Forgets what touches an asteroid or an enemy: it is gone.
void vni_game_forget_asteroid(vn_game* game, uint32_t index);
void vni_game_forget_enemy(vn_game* game, uint32_t index);

#endif
