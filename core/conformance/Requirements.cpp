#include "core/conformance/Conformance.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace tendon::conformance {
namespace {

constexpr std::pair<std::string_view, const char*> kRequirements[] = {
    {"loadable", "The plugin loads, and makes a solver."},
    {"survives", "No problem crashes the plugin or ends its process."},
    {"ends", "Every solve returns in time."},
    {"examined", "The plugin survives long enough to be checked to the end."},
    {"prepared", "prepare() takes a model, or refuses it as unsupported."},
    {"parameters-refused", "Values outside the ranges of solver.json, and unknown parameters, are refused."},
    {"parameters-accepted", "Every value within the ranges of solver.json is taken."},
    {"parameters-work", "The solver works at both ends of each parameter's range."},
    {"parameters-default", "A new solver uses the defaults that solver.json names."},
    {"unprepared-refused", "solve() before prepare() is refused, and the pose stays as it was."},
    {"invalid-models-refused", "Models that are not whole are refused."},
    {"invalid-problems-refused", "Problems that are not whole are refused, and the pose stays as it was."},
    {"joint-kinds-moved", "Every kind of joint that is claimed is moved."},
    {"joint-kinds-refused", "Kinds of joints that are not claimed are refused."},
    {"limits-refused", "Joints with limits are refused by a solver that does not keep them."},
    {"empty-model", "A model without joints does no harm."},
    {"goal-kinds-solved", "Every kind of goal that is claimed is solved."},
    {"goal-kinds-refused", "Kinds of goals that are not claimed are refused."},
    {"policies-refused", "Stretch, soft goals, objectives and curves that are not claimed are refused."},
    {"solved-stays", "A pose that already meets its goals is the answer, unchanged."},
    {"reachable-near", "Goals a little way off are met, in few iterations."},
    {"reachable-far", "Goals far off that can be met are met."},
    {"unreachable-told", "A goal out of reach is never said to be met."},
    {"unreachable-straightens", "The chain straightens toward a goal that is out of reach."},
    {"unreachable-holds", "With the policy Hold the pose stays where the goal is out of reach."},
    {"limits-kept", "No joint goes beyond its limits."},
    {"limit-hits", "Joints at their limits are reported, and no others."},
    {"locked-stay", "Locked joints do not move."},
    {"bystanders-stay", "Joints that no goal hangs on do not move."},
    {"degenerate", "Bones without length give a whole pose, or none."},
    {"stuck-stays", "Where no move helps, the pose stays as it was."},
    {"moving-bases", "Bones may change their lengths from one solve to the next."},
    {"repeatable", "The same problem gives the same answer, to the bit."},
    {"threads", "Two solvers at the same time answer as one alone does."},
    {"equivariance", "Moving the rig and its goals together does not change the answer."},
    {"scale", "Scaling the rig and its goals together does not change the answer."},
    {"weight-zero", "A goal without weight has no effect."},
    {"iterations-bounded", "The solver stops at the largest number of iterations."},
    {"time-bounded", "The solver stops at the largest time."},
    {"cancel", "A solve that is cancelled before it begins stops at once."},
    {"cancel-midway", "A solve that is cancelled midway stops within an iteration."},
    {"cancel-in-time", "A solve that another thread cancels stops within a second."},
    {"trace-changes-nothing", "Recording the steps does not change the answer."},
    {"trace-length", "As many steps are recorded as there are iterations, or room."},
    {"trace-content", "Recorded steps are whole, and the first one is the start."},
    {"stages", "Recorded stages are whole, and do not change the answer."},
    {"convergence-order", "Errors shrink as quickly as solver.json promises."},
    {"no-allocations", "A solve allocates no memory."},
    {"many-goals-solved", "Several goals at once are met."},
    {"many-goals-refused", "Several goals are refused by a solver that takes one."},
    {"priorities", "A goal of lower priority does not disturb one of higher priority."},
    {"objectives", "Objectives have an effect, and goals stay met."},
    {"stretch", "Bones stretch as far as they may, and only where that is needed."},
    {"curve", "The chain follows its curve."},
    {"growth", "Structs of a later SDK change nothing, and their new members stay as they were."},
    {"closed-form", "A closed form needs no iterations."},
    {"history", "Answers depend on the solves before, as is claimed."},
    {"honest-status", "The solver says that goals are met if they are, and only then."},
    {"goal-results", "Errors and costs are reported as they are."},
    {"bounds-kept", "Nothing is written outside the memory that is handed over."},
    {"untouched-on-failure", "A solve that fails leaves the pose as it was."},
    {"results-finite", "Every number of an answer is finite."},
};

} // namespace

std::string requirementOf(std::string_view check)
{
    const auto* const found = std::find_if(std::begin(kRequirements), std::end(kRequirements),
                                           [check](const auto& entry) { return entry.first == check; });
    return found == std::end(kRequirements) ? std::string() : found->second;
}

} // namespace tendon::conformance
