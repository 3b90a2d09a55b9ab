#pragma once

#include "app/editor/EditorDocument.h"
#include "app/editor/Job.h"
#include "core/document/PreparedStep.h"
#include "core/solve/SolvedPoses.h"

namespace tendon::editor {

struct EditorDocument::Task
{
    std::vector<QJsonObject> operations;
    Done then = {};
    std::function<Result<ImportedModel>(const std::string&, const ImportOptions&)> import =
        {}; ///< unset: reads the file
    std::function<Result<BakedClip>(const Scene&, const SolverRegistry&, const BakeOptions&)> bake =
        {}; ///< remembers what it baked
};

struct EditorDocument::Run
{
    std::uint64_t revision = 0; ///< of the document that it works on
    std::vector<QJsonObject> operations;
    std::shared_ptr<Result<std::vector<PreparedStep>>> steps; ///< once the job is over
    std::unique_ptr<Job> job;
};

} // namespace tendon::editor
