#pragma once

/// The version of the solver contract, and how a host and a plugin agree on it.
///
/// The interface id ends in the major number: `/1` changes when any virtual function or any existing member changes.
/// A minor number only appends: members at the end of a struct (each struct begins with its size), values at the end
/// of an enum. Goal, GoalResult and TraceRow, which cross in arrays, never grow. A host takes a plugin of the same
/// major and of a minor not above its own.
#define TENDON_SOLVER_PLUGIN_IID "org.tendon.SolverPlugin/1"

namespace tendon::sdk {

inline constexpr int kSdkMajor = 1;
inline constexpr int kSdkMinor = 0;

} // namespace tendon::sdk
