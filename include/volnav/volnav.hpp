/// volnav/volnav.hpp: volnav for C++17: handles that free what they hold, and shapes in one line each.
///
/// A thin layer over volnav/volnav.h, whose functions take the handles' get(). No exceptions, no RTTI and no
/// library of its own: failures are values, as in C. A made<T> is either an object or the reason why there is
/// none:
///
///     auto world = volnav::make_world();
///     if (!world)
///         return report(world.detail.text);
///     vn_world_add(world.get(), ...)
#ifndef VOLNAV_VOLNAV_HPP
#define VOLNAV_VOLNAV_HPP

#include "volnav/volnav.h"
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <utility>

namespace volnav {

// ----------------------------------------------------------------------------------------------- handles

/// Frees any object of volnav.
struct destroy {
    void operator()(vn_world* object) const noexcept { vn_world_destroy(object); }
    void operator()(vn_space* object) const noexcept { vn_space_destroy(object); }
    void operator()(vn_layers* object) const noexcept { vn_layers_destroy(object); }
    void operator()(vn_query* object) const noexcept { vn_query_destroy(object); }
    void operator()(vn_nav* object) const noexcept { vn_nav_destroy(object); }
    void operator()(vn_pool* object) const noexcept { vn_pool_destroy(object); }
};

/// Owns an object: moves, does not copy. Destroy a query before its space or layers, and spaces before a pool
/// that still bakes them: declared in the order in which they are made, they are.
template <typename T> using handle = std::unique_ptr<T, destroy>;

using world = handle<vn_world>;
using space = handle<vn_space>;
using layers = handle<vn_layers>;
using query = handle<vn_query>;
using nav = handle<vn_nav>;
using pool = handle<vn_pool>;

/// An object, or why there is none. True if there is one.
template <typename T> struct [[nodiscard]] made {
    T object{};
    vn_status status = VN_OK;
    vn_detail detail{}; ///< if status is not VN_OK

    explicit operator bool() const noexcept { return status == VN_OK; }
    auto get() const noexcept { return object.get(); }
};

namespace inside {

/// Calls `make(T**, vn_detail*)` and takes what it made.
template <typename T, typename Make> made<handle<T>> take(Make&& make) noexcept {
    made<handle<T>> result;
    T* object = nullptr;
    result.status = std::forward<Make>(make)(&object, &result.detail);
    if (result.status == VN_OK) {
        result.object.reset(object);
    } else if (result.detail.status == VN_OK) { // a call without details of its own
        result.detail.status = result.status;
        std::snprintf(result.detail.text, sizeof result.detail.text, "%s", vn_status_text(result.status));
    }
    return result;
}

} // namespace inside

// ---------------------------------------------------------------------------------------------- making
// Each is the C function of the same name, with its default def, and returns the same statuses.

inline made<world> make_world(const vn_world_def& def = vn_default_world_def()) noexcept {
    return inside::take<vn_world>([&](vn_world** out, vn_detail*) { return vn_world_create(&def, out); });
}

inline made<space> bake(const vn_world* from, const vn_space_def& def = vn_default_space_def()) noexcept {
    return inside::take<vn_space>(
        [&](vn_space** out, vn_detail* detail) { return vn_space_bake(from, &def, out, detail); });
}

inline made<layers> bake_layers(const vn_world* from, const vn_layer_def* agents, uint32_t count,
                                const vn_space_def& def = vn_default_space_def()) noexcept {
    return inside::take<vn_layers>([&](vn_layers** out, vn_detail* detail) {
        return vn_layers_bake(from, &def, agents, count, out, detail);
    });
}

inline made<query> make_query(const vn_space* from,
                              const vn_query_def& def = vn_default_query_def()) noexcept {
    return inside::take<vn_query>(
        [&](vn_query** out, vn_detail* detail) { return vn_query_create(from, &def, out, detail); });
}

inline made<query> make_query(const vn_layers* from,
                              const vn_query_def& def = vn_default_query_def()) noexcept {
    return inside::take<vn_query>(
        [&](vn_query** out, vn_detail* detail) { return vn_query_create_layers(from, &def, out, detail); });
}

/// The nav takes the world, on VN_OK only: otherwise `source` keeps it.
inline made<nav> make_nav(world& source, const vn_nav_def& def = vn_default_nav_def()) noexcept {
    auto result = inside::take<vn_nav>(
        [&](vn_nav** out, vn_detail* detail) { return vn_nav_create(source.get(), &def, out, detail); });
    if (result)
        (void)source.release();
    return result;
}

/// 0 workers: one for each processor.
inline made<pool> make_pool(uint32_t workers = 0,
                            const vn_allocator& allocator = vn_default_allocator()) noexcept {
    return inside::take<vn_pool>(
        [&](vn_pool** out, vn_detail*) { return vn_pool_create(&allocator, workers, out); });
}

// ---------------------------------------------------------------------------------------------- shapes
// For vn_world_add, vn_nav_add and their moving forms. Metres, local.

namespace inside {

inline vn_shape shape_of(vn_shape_kind kind) noexcept {
    vn_shape shape{};
    shape.kind = kind;
    return shape;
}

/// Of a capsule or a cylinder.
template <typename Part> void set_axis(Part& part, vn_vec3 a, vn_vec3 b, float radius) noexcept {
    part.a = a;
    part.b = b;
    part.radius = radius;
}

/// Of a hull or a mesh.
template <typename Part, typename Vertices, typename Indices>
void set_triangles(Part& part, const Vertices& vertices, const Indices& indices) noexcept {
    part.vertices = vertices.data();
    part.vertex_count = static_cast<uint32_t>(vertices.size());
    part.indices = indices.data();
    part.triangle_count = static_cast<uint32_t>(indices.size() / 3);
}

} // namespace inside

inline vn_shape box(vn_vec3 min, vn_vec3 max) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_BOX);
    shape.as.box = {min, max};
    return shape;
}

inline vn_shape oriented(vn_vec3 center, vn_vec3 half, vn_quat rotation) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_ORIENTED);
    shape.as.oriented.center = center;
    shape.as.oriented.half = half;
    shape.as.oriented.rotation = rotation;
    return shape;
}

inline vn_shape sphere(vn_vec3 center, float radius) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_SPHERE);
    shape.as.sphere.center = center;
    shape.as.sphere.radius = radius;
    return shape;
}

inline vn_shape capsule(vn_vec3 a, vn_vec3 b, float radius) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_CAPSULE);
    inside::set_axis(shape.as.capsule, a, b, radius);
    return shape;
}

inline vn_shape cylinder(vn_vec3 a, vn_vec3 b, float radius) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_CYLINDER);
    inside::set_axis(shape.as.cylinder, a, b, radius);
    return shape;
}

/// Vertices (vn_vec3) and indices (uint32_t, three per triangle) of any container with data() and size(). The
/// shape points into them, so they must outlive it: temporaries are refused.
template <typename Vertices, typename Indices>
vn_shape hull(const Vertices& vertices, const Indices& indices) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_HULL);
    inside::set_triangles(shape.as.hull, vertices, indices);
    return shape;
}

template <typename Vertices, typename Indices>
vn_shape mesh(const Vertices& vertices, const Indices& indices, bool solid = false) noexcept {
    vn_shape shape = inside::shape_of(VN_SHAPE_MESH);
    inside::set_triangles(shape.as.mesh, vertices, indices);
    shape.as.mesh.solid = solid;
    return shape;
}

template <typename Vertices, typename Indices> vn_shape hull(const Vertices&&, const Indices&) = delete;
template <typename Vertices, typename Indices> vn_shape hull(const Vertices&, const Indices&&) = delete;
template <typename Vertices, typename Indices> vn_shape hull(const Vertices&&, const Indices&&) = delete;
template <typename Vertices, typename Indices>
vn_shape mesh(const Vertices&&, const Indices&, bool = false) = delete;
template <typename Vertices, typename Indices>
vn_shape mesh(const Vertices&, const Indices&&, bool = false) = delete;
template <typename Vertices, typename Indices>
vn_shape mesh(const Vertices&&, const Indices&&, bool = false) = delete;

/// Owns a convex hull made of points (vn_hull_from_points).
class point_hull {
  public:
    point_hull() noexcept = default;
    explicit point_hull(const vn_hull& taken) noexcept : hull_(taken) {}
    point_hull(point_hull&& from) noexcept : hull_(std::exchange(from.hull_, vn_hull{})) {}
    point_hull& operator=(point_hull&& from) noexcept {
        std::swap(hull_, from.hull_);
        return *this;
    }
    ~point_hull() { vn_hull_free(&hull_); }

    const vn_hull* get() const noexcept { return &hull_; }

    /// Points into the hull, which must outlive it.
    vn_shape shape() const& noexcept { return vn_hull_shape(&hull_); }
    vn_shape shape() const&& = delete;

  private:
    vn_hull hull_{};
};

template <typename Points> made<point_hull> hull_of_points(const Points& points) noexcept {
    made<point_hull> result;
    vn_hull taken{};
    result.status = vn_hull_from_points(nullptr, points.data(), static_cast<uint32_t>(points.size()), &taken,
                                        &result.detail);
    result.object = point_hull(taken);
    return result;
}

// --------------------------------------------------------------------------------------------- results

/// The points of a query's last path, for range-based for. Valid as long as vn_query_points says.
class path_points {
  public:
    explicit path_points(const vn_query* of) noexcept : first_(vn_query_points(of, &count_)) {}
    const vn_point* begin() const noexcept { return first_; }
    const vn_point* end() const noexcept { return first_ == nullptr ? nullptr : first_ + count_; }
    std::size_t size() const noexcept { return count_; }

  private:
    uint32_t count_ = 0;
    const vn_point* first_;
};

/// Pins the current version of a nav for its lifetime. Empty (false) if no layer fits; see vn_nav_pin.
class pin {
  public:
    pin(vn_nav* of, double radius, uint32_t open_flags = 0) noexcept
        : nav_(of), space_(vn_nav_pin(of, radius, open_flags, &version_)) {}
    pin(pin&& from) noexcept
        : nav_(from.nav_), version_(from.version_), space_(std::exchange(from.space_, nullptr)) {}
    pin& operator=(pin&&) = delete;
    ~pin() {
        if (space_ != nullptr)
            (void)vn_nav_unpin(nav_, version_);
    }

    explicit operator bool() const noexcept { return space_ != nullptr; }
    const vn_space* space() const noexcept { return space_; }
    uint64_t version() const noexcept { return version_; }

  private:
    vn_nav* nav_;
    uint64_t version_ = 0;
    const vn_space* space_;
};

} // namespace volnav

#endif
