/// tests/compile/volnav_hpp.cpp: volnav.hpp as a program uses it, without exceptions and RTTI: every handle
/// and every shape, each failure as a value, nothing left over.
#include "volnav/volnav.hpp"
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int faults = 0, live_blocks = 0;

static void expect(bool condition, const char* what) {
    if (!condition) {
        std::printf("not so: %s\n", what);
        ++faults;
    }
}
#define EXPECT(condition) expect(static_cast<bool>(condition), #condition)

static void* count_alloc(void*, size_t size) {
    ++live_blocks;
    return std::malloc(size);
}
static void* count_resize(void*, void* block, size_t, size_t size) {
    live_blocks += block == nullptr;
    return std::realloc(block, size);
}
static void count_release(void*, void* block, size_t) {
    live_blocks -= block != nullptr;
    std::free(block);
}

static vn_world_def counted_world() {
    vn_world_def def = vn_default_world_def();
    def.allocator = {count_alloc, count_resize, count_release, nullptr};
    return def;
}

static const std::array<vn_vec3, 4> corners{{{4, 4, 4}, {6, 4, 4}, {4, 6, 4}, {4, 4, 6}}};
static const std::array<uint32_t, 12> faces{{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}};

static void add_all(vn_world* world) {
    const std::vector<vn_vec3> cloud{{1, 1, 8}, {2, 1, 8}, {1, 2, 8}, {1, 1, 9}, {1.2f, 1.2f, 8.2f}};
    const auto of_points = volnav::hull_of_points(cloud);
    EXPECT(of_points && of_points.object.get()->vertex_count == 4);
    const vn_shape shapes[] = {volnav::box({0, 0, 0}, {1, 1, 1}),
                               volnav::oriented({8, 2, 2}, {1, 0.5f, 0.5f}, {0, 0, 0, 1}),
                               volnav::sphere({8, 8, 8}, 1),
                               volnav::capsule({2, 8, 2}, {2, 8, 6}, 0.5f),
                               volnav::cylinder({8, 8, 2}, {8, 8, 5}, 0.5f),
                               volnav::hull(corners, faces),
                               volnav::mesh(corners, faces, true),
                               of_points.object.shape()};
    for (const vn_shape& shape : shapes)
        EXPECT(vn_world_add(world, &shape, nullptr, nullptr) == VN_OK);
    EXPECT(vn_world_count(world) == 8);
}

static vn_space_def small_space() {
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.5f;
    def.has_bounds = true;
    def.bounds = {{0, 0, 0}, {10, 10, 10}};
    return def;
}

static void find(vn_query* query, const vn_space* space) {
    vn_path_request request = vn_default_path_request();
    EXPECT(vn_space_point_from_local(space, {3, 0.5f, 0.5f}, &request.start) == VN_OK);
    EXPECT(vn_space_point_from_local(space, {9.5f, 9.5f, 9.5f}, &request.goal) == VN_OK);
    vn_path_result result;
    EXPECT(vn_query_find_path(query, &request, &result, nullptr) == VN_OK);

    std::size_t seen = 0;
    for (const vn_point& point : volnav::path_points(query))
        seen += vn_space_point_free(space, point);
    EXPECT(seen >= 2 && seen == volnav::path_points(query).size());
}

static void run_nav(volnav::world source) {
    vn_nav_def def = vn_default_nav_def();
    def.space = small_space();
    auto nav = volnav::make_nav(source, def);
    EXPECT(nav && source == nullptr);
    const volnav::pin pinned(nav.get(), 0);
    EXPECT(pinned && vn_space_content_hash(pinned.space()) != 0);
    const volnav::pin none(nav.get(), 1e6);
    EXPECT(!none);
}

static void failures_are_values() {
    vn_world_def def = vn_default_world_def();
    def.cookie = 0;
    const auto world = volnav::make_world(def);
    EXPECT(!world && world.status == VN_BAD_DEF && world.get() == nullptr &&
           world.detail.status == VN_BAD_DEF && world.detail.text[0] != 0);

    const std::vector<vn_vec3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    const auto hull = volnav::hull_of_points(line);
    EXPECT(!hull && hull.status == VN_DEGENERATE && hull.detail.text[0] != 0);

    auto good = volnav::make_world();
    vn_space_def bad = small_space();
    bad.resolution = -1;
    EXPECT(!volnav::bake(good.get(), bad));
    vn_nav_def nav_def = vn_default_nav_def();
    nav_def.space = bad;
    EXPECT(!volnav::make_nav(good.object, nav_def) && good.object != nullptr);
}

int main() {
    {
        auto world = volnav::make_world(counted_world());
        EXPECT(world);
        add_all(world.get());
        auto pool = volnav::make_pool(1);
        vn_space_def def = small_space();
        def.jobs = vn_pool_jobs(pool.get());
        auto space = volnav::bake(world.get(), def);
        EXPECT(space);
        auto query = volnav::make_query(space.get());
        find(query.get(), space.get());

        const vn_layer_def agents[2] = {{0, 0}, {0.25f, 0}};
        auto layers = volnav::bake_layers(world.get(), agents, 2, def);
        EXPECT(layers && vn_layers_count(layers.get()) == 2);
        auto wide = volnav::make_query(layers.get());
        EXPECT(wide);
        volnav::world moved = std::move(world.object);
        EXPECT(world.object == nullptr && live_blocks > 0);
        run_nav(std::move(moved));
    }

    EXPECT(live_blocks == 0);
    failures_are_values();
    std::printf("%s\n", faults == 0 ? "all of it works" : "faults");
    return faults == 0 ? 0 : 1;
}
