/// 08-allocator-and-jobs: memory and tasks of the host. volnav takes memory from the allocator of the def,
/// runs parallel loops through the jobs of the def, and allocates nothing during a search.
#include "hall.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------ memory

typedef struct budget {
    size_t used, peak, limit;
    unsigned calls;
} budget;

static void* take(void* user, size_t size) {
    budget* b = user;
    if (size > b->limit - b->used)
        return NULL; // volnav returns VN_OUT_OF_MEMORY

    void* block = malloc(size);
    if (block != NULL) {
        b->used += size;
        b->peak = b->used > b->peak ? b->used : b->peak;
        ++b->calls;
    }

    return block;
}

/// The size is passed in, so the host need not store it.
static void give_back(void* user, void* block, size_t size) {
    budget* b = user;
    b->used -= block != NULL ? size : 0;
    free(block);
}

static void* resize(void* user, void* block, size_t old_size, size_t new_size) {
    budget* b = user;
    if (new_size > old_size && new_size - old_size > b->limit - b->used)
        return NULL;

    void* moved = realloc(block, new_size);
    if (moved != NULL) {
        b->used = b->used - old_size + new_size;
        b->peak = b->used > b->peak ? b->used : b->peak;
        ++b->calls;
    }

    return moved;
}

// -------------------------------------------------------------------------------------------------- jobs

/// The smallest task system: it holds one loop and runs it in finish, without threads.
typedef struct task_list {
    vn_task* task;
    void* context;
    uint32_t count, range;
    unsigned ranges_run;
} task_list;

static void* enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    task_list* list = user;
    *list = (task_list){task, context, count, min_range > 0 ? min_range : 1, list->ranges_run};
    return list;
}

static void finish(void* user, void* handle) {
    task_list* list = handle;
    (void)user;
    for (uint32_t begin = 0; begin < list->count; begin += list->range, ++list->ranges_run) {
        uint32_t left = list->count - begin;
        list->task(list->context, begin, begin + (left < list->range ? left : list->range), 0);
    }
}

// -------------------------------------------------------------------------------------------------- main

int main(void) {
    budget memory = {.limit = (size_t)64 << 20};
    task_list tasks = {.task = NULL};
    vn_world* world = NULL;
    vn_space* space = NULL;
    vn_query* query = NULL;
    vn_status status = hall_world(false, &world);

    vn_space_def def = hall_space_def();
    def.allocator = (vn_allocator){take, resize, give_back, &memory};
    def.jobs = (vn_jobs){.worker_count = 1, .enqueue = enqueue, .finish = finish, .user = &tasks};
    if (status == VN_OK)
        status = vn_space_bake(world, &def, &space, NULL);

    printf("bake: %u allocations, %zu bytes held, peak %zu, %u ranges of work\n", memory.calls, memory.used,
           memory.peak, tasks.ranges_run);

    vn_query_def query_def = vn_default_query_def();
    query_def.allocator = def.allocator;
    if (status == VN_OK)
        status = vn_query_create(space, &query_def, &query, NULL);

    const unsigned before = memory.calls;
    vn_path_result result = {.status = status};
    if (status == VN_OK) {
        vn_path_request request = hall_route();
        status = vn_query_find_path(query, &request, &result, NULL);
    }

    const unsigned during = memory.calls - before;
    printf("query: %s, %.2f m, %u allocations\n", vn_path_status_word(status), result.length, during);

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    printf("at the end: %zu bytes held\n", memory.used);
    return status == VN_OK && during == 0 && memory.used == 0 ? 0 : 1;
}
