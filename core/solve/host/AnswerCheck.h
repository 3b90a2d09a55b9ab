#pragma once

#include <tendon/kit/Kinematics.h>
#include <tendon/sdk/Model.h>
#include <tendon/sdk/Problem.h>
#include <tendon/sdk/Report.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tendon::host {

/// Compares what a foreign solver says of its answers with what Tendon finds. One thread's.
class AnswerCheck
{
public:
    /// Copies the model, which is what answers are judged by.
    void prepare(const sdk::Model& model);

    /// What is untrue in an answer, as the rest of the sentence "solver plugin X ..."; nothing for a true one. Looks
    /// only at problems that fit the model, and not at what may be missed by agreement: soft goals, curves, stretched
    /// bones. Allocates only where it finds something.
    [[nodiscard]] std::optional<std::string> untruth(const sdk::Problem& problem, sdk::Status status,
                                                     const sdk::Solution& solution);

    [[nodiscard]] static bool isStatus(sdk::Status status);

private:
    [[nodiscard]] std::optional<std::string> missedGoal(const sdk::Problem& problem, sdk::Status status,
                                                        const sdk::Solution& solution);

    std::vector<std::byte> m_arrays; ///< of m_model
    sdk::Model m_model;
    std::vector<kit::Frame<double>> m_frames;
};

} // namespace tendon::host
