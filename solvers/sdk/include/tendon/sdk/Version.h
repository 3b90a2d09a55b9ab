#pragma once

/// The version of the solver contract, and how a host and a plugin agree on it.
///
/// The interface id ends in the major number. `/2` changes when a virtual function, an existing member or the meaning
/// of either changes. A minor number only appends, and a 2.0 plugin keeps working in every 2.x host:
///
/// * Members are appended to the structs that begin with their `size`. Such a struct crosses by reference or by
///   pointer, never by value inside another struct. Nested members would move what follows them.
/// * Members are appended to the structs that cross in Rows. The stride tells how large an element is.
/// * No struct ends in padding: a member appended there would not make it larger.
/// * Values are appended to enumerations. A host uses a new joint kind, goal kind or policy only with solvers whose
///   solver.json claims it; Features.h lists the names.
///
/// A plugin states the version of the headers that it is compiled with. A host accepts plugins of its own major and of
/// a minor not above its own, so the host's structs are never smaller than the plugin's. A plugin reads and writes the
/// members that it was compiled with and leaves the rest alone; what a solver does not know to write keeps the value
/// that the host put there.
///
/// Everything that crosses is plain data, reached by pointers that a host can rebuild elsewhere: no virtual functions,
/// no callbacks and no objects, so that a solver may also run in another process.
#define TENDON_SOLVER_PLUGIN_IID "org.tendon.SolverPlugin/2"

namespace tendon::sdk {

inline constexpr int kSdkMajor = 2;
inline constexpr int kSdkMinor = 0;

} // namespace tendon::sdk
