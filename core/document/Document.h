#pragma once

#include "core/document/History.h"
#include "core/io/ProjectFile.h"
#include "core/runtime/PoseSampler.h"
#include "core/solve/SolverRegistry.h"

#include <map>
#include <string>

namespace tendon {

/// State of the editing that is not part of the document: no undo step, not compared.
struct EditState
{
    ClipId currentClip;
    std::int32_t frame = 1;
    bool isAutoKeyOn = false;
    PendingValues pending;                       ///< posed at `frame` on keyed channels, not keyed yet
    std::map<JointId, LocalTransform> copiedPose;
};

/// What an operation works on: the scene's history, the editing state and the solvers. Owned by one thread.
struct Document
{
    History history;
    EditState edit;
    const SolverRegistry* solvers = nullptr; ///< never null; outlives the document
    std::string path;                        ///< where the project stands; empty = nowhere yet

    [[nodiscard]] const Scene& scene() const { return history.current(); }
};

} // namespace tendon
