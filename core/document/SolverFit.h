#pragma once

#include "core/scene/Handle.h"
#include "core/solve/SolverRegistry.h"

#include <QJsonObject>

#include <map>
#include <string>

namespace tendon {

/// The solver of a name. Error: there is none; it lists those that are there.
[[nodiscard]] Result<const SolverInfo*> solverNamed(const SolverRegistry& solvers, const std::string& name);

/// What a handle asks for is what its solver can do: pole, orientation, curve, stretch, objectives. Errors name the
/// missing feature.
[[nodiscard]] Result<void> checkSolverFits(const Handle& handle, const SolverInfo& solver);

/// Whether the pose of a handle's chain depends on where its pole is: its solver takes poles.
[[nodiscard]] bool looksAtPoles(const SolverRegistry& solvers, const Handle& handle);

/// `changes` ({id: number | bool | name of an enum's value | null for the default}) over `former`, checked against what
/// the solver declares. Only values that differ from the defaults are kept.
[[nodiscard]] Result<std::map<std::string, double>>
changedParameters(std::map<std::string, double> former, const QJsonObject& changes, const SolverInfo& solver);

} // namespace tendon
