/// 12-threads-cpp: a nav that has no threads of its own: jobs of the game do its work, here two std::threads.
#include <volnav/volnav.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kThreads = 2, kBoxes = 50, kFrames = 120;

/// Every status is checked here.
void must(vn_status status, const vn_detail& detail = {}) {
    if (status != VN_OK)
        throw std::runtime_error(detail.text[0] != '\0' ? detail.text : vn_status_text(status));
}

vn_transform place(unsigned box, unsigned frame) {
    return vn_transform_at(box % 10 * 6 + frame % 6, 10, box / 10 * 12);
}

/// The nav takes the world over.
vn_nav* make_nav(std::vector<vn_obstacle_id>& boxes) {
    vn_detail detail = {};
    vn_world* world = nullptr;
    const vn_world_def world_def = vn_default_world_def();
    must(vn_world_create(&world_def, &world));
    vn_shape shape = {};
    shape.kind = VN_SHAPE_BOX;
    shape.as.box = {{-2, -8, -2}, {2, 8, 2}};
    for (unsigned i = 0; i < kBoxes; ++i) {
        const vn_transform at = place(i, 0);
        must(vn_world_add_moving(world, &shape, &at, &boxes[i], &detail), detail);
    }

    vn_nav* nav = nullptr;
    vn_nav_def def = vn_default_nav_def();
    def.slots = kThreads; // one for each thread that calls vn_nav_work
    def.space.has_bounds = true;
    def.space.bounds = {{0, 0, 0}, {64, 20, 64}};
    must(vn_nav_create(world, &def, &nav, &detail), detail);
    return nav;
}

/// What a game does with its own job system: one job a thread, each with its own slot.
void work(vn_nav* nav, unsigned slot, const std::atomic<bool>& stop) {
    while (!stop)
        if (!vn_nav_work(nav, slot))
            std::this_thread::yield();
}

void submit(vn_nav* nav, unsigned frame) {
    vn_detail detail = {};
    vn_request_id id = 0;
    vn_nav_request request = vn_default_nav_request();
    request.path.use_positions = true;
    request.path.start_position = {1.5, 10.5, frame % 60 + 0.5};
    request.path.goal_position = {62.5, 10.5, 60.5 - frame % 60};
    request.path.snap_distance = 8;
    must(vn_nav_submit(nav, &request, &id, &detail), detail);
}

/// Returns how many paths arrived.
unsigned collect(vn_nav* nav) {
    unsigned count = 0;
    vn_nav_result result;
    for (; vn_nav_next_result(nav, &result); ++count) {
        must(result.result.status);
        vn_nav_release_result(nav, result.id); // a game would copy the points first
    }

    return count;
}

unsigned run(vn_nav* nav, const std::vector<vn_obstacle_id>& boxes) {
    vn_detail detail = {};
    unsigned found = 0;
    for (unsigned frame = 0; found < kFrames; ++frame) {
        for (unsigned i = 0; i < kBoxes && frame < kFrames; ++i) {
            const vn_transform at = place(i, frame);
            must(vn_nav_move(nav, boxes[i], &at, &detail), detail);
        }

        if (frame < kFrames)
            submit(nav, frame);

        must(vn_nav_tick(nav, &detail), detail); // hands work out, takes results back; does none itself
        found += collect(nav);
        std::this_thread::yield(); // the rest of the frame
    }

    return found;
}

} // namespace

int main() try {
    std::vector<vn_obstacle_id> boxes(kBoxes);
    vn_nav* nav = make_nav(boxes);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < kThreads; ++i)
        threads.emplace_back(work, nav, i, std::cref(stop));

    std::exception_ptr failed;
    unsigned found = 0;
    try {
        found = run(nav, boxes);
    } catch (...) {
        failed = std::current_exception();
    }

    // No thread may be in vn_nav_work when the nav is destroyed.
    stop = true;
    for (std::thread& thread : threads)
        thread.join();

    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    vn_nav_destroy(nav);
    if (failed)
        std::rethrow_exception(failed);
    std::printf("%u paths, %s\n", found, stats.version > 1 ? "several versions" : "no new version");
    return found == kFrames && stats.version > 1 ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
