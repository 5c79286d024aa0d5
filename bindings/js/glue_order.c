/// bindings/js/glue_order.c: what a search did, in order.
#include "glue_order.h"

void glue_observe(void* user, const vn_search_event* event) {
    glue_order* order = user;
    if (event->kind == VN_SEARCH_EXPAND) {
        const glue_step step = {event->point, event->parent, event->g,        event->h,
                                event->key,   event->node,   event->from_goal};
        (void)glue_append(&order->steps, &step, sizeof step);
    } else {
        const glue_sight sight = {event->point, event->parent, event->visible,
                                  (uint32_t)(order->steps.size / sizeof(glue_step))};
        (void)glue_append(&order->sights, &sight, sizeof sight);
    }
}

void glue_put_box(float* to, const vn_space_info* info, vn_voxel low, vn_voxel high) {
    const double size = (double)info->resolution;
    const double base[3] = {info->origin.x + info->low.x, info->origin.y + info->low.y,
                            info->origin.z + info->low.z};
    const int32_t at[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
    for (int i = 0; i < 6; ++i)
        to[i] = (float)(base[i % 3] + size * at[i]);
}

static void put_point(double* to, const vn_space* space, vn_point point) {
    const vn_dvec3 p = vn_space_point_to_world(space, point);
    to[0] = p.x, to[1] = p.y, to[2] = p.z;
}

static void put_steps(const glue_order* order, const vn_space* space, size_t n, double* numbers,
                      uint32_t* words) {
    const glue_step* steps = (const glue_step*)(const void*)order->steps.data;
    for (size_t i = 0; i < n; ++i) {
        put_point(numbers + 3 * i, space, steps[i].point);
        put_point(numbers + 3 * n + 3 * i, space, steps[i].parent);
        numbers[6 * n + i] = steps[i].g;
        numbers[7 * n + i] = steps[i].h;
        numbers[8 * n + i] = steps[i].key;
        words[i] = steps[i].node;
        words[n + i] = steps[i].from_goal;
    }
}

static vn_status give_steps(int at, const glue_order* order, const vn_space* space, glue_box_of* box_of,
                            void* user) {
    const size_t n = order->steps.size / sizeof(glue_step);
    const glue_step* steps = (const glue_step*)(const void*)order->steps.data;
    glue_list numbers = {0}, boxes = {0}, words = {0};
    vn_space_info info;
    vn_space_get_info(space, &info);
    double* to = glue_room(&numbers, 9 * n * sizeof *to);
    float* box = glue_room(&boxes, 6 * n * sizeof *box);
    uint32_t* word = glue_room(&words, 2 * n * sizeof *word);
    if (to != NULL && word != NULL)
        put_steps(order, space, n, to, word);
    for (size_t i = 0; box != NULL && i < n; ++i) {
        vn_voxel low, high;
        box_of(user, &steps[i], &low, &high);
        glue_put_box(box + 6 * i, &info, low, high);
    }

    const vn_status a = glue_give(at, &numbers), b = glue_give(at + 2, &boxes), c = glue_give(at + 4, &words);
    return a != VN_OK ? a : b != VN_OK ? b : c;
}

static vn_status give_sights(int at, const glue_order* order, const vn_space* space) {
    const size_t n = order->sights.size / sizeof(glue_sight);
    const glue_sight* sights = (const glue_sight*)(const void*)order->sights.data;
    glue_list numbers = {0}, words = {0};
    double* to = glue_room(&numbers, 6 * n * sizeof *to);
    uint32_t* word = glue_room(&words, 2 * n * sizeof *word);
    for (size_t i = 0; to != NULL && word != NULL && i < n; ++i) {
        put_point(to + 6 * i, space, sights[i].from);
        put_point(to + 6 * i + 3, space, sights[i].to);
        word[i] = sights[i].visible;
        word[n + i] = sights[i].after;
    }

    const vn_status a = glue_give(at, &numbers), b = glue_give(at + 2, &words);
    return a != VN_OK ? a : b;
}

vn_status glue_give_order(int at, glue_order* order, const vn_space* space, glue_box_of* box_of, void* user) {
    const bool failed = order->steps.failed || order->sights.failed;
    const vn_status steps = give_steps(at, order, space, box_of, user);
    const vn_status sights = give_sights(at + 6, order, space);
    glue_free_order(order);
    return failed ? VN_OUT_OF_MEMORY : steps != VN_OK ? steps : sights;
}

void glue_free_order(glue_order* order) {
    glue_free(&order->steps);
    glue_free(&order->sights);
}
