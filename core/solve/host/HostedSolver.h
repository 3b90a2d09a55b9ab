#pragma once

#include "core/solve/host/AnswerCheck.h"
#include "core/solve/host/HostProcess.h"

#include <tendon/sdk/Solver.h>

#include <memory>

namespace tendon::host {

/// A solver of a foreign plugin, which runs in the plugin's process. Behaves as the solver itself would here, but for
/// untrue answers (AnswerCheck), which put the plugin at fault. Once it is, setParameter() returns false, prepare()
/// Unsupported and solve() NumericalFailure.
class HostedSolver final : public sdk::Solver
{
public:
    /// Null when the plugin makes no solver, or is at fault.
    [[nodiscard]] static std::unique_ptr<sdk::Solver> create(std::shared_ptr<HostProcess> process);
    ~HostedSolver() override;

    [[nodiscard]] bool setParameter(std::string_view id, double value) noexcept override;
    [[nodiscard]] sdk::Status prepare(const sdk::Model& model, std::int32_t maxGoals) noexcept override;
    [[nodiscard]] sdk::Status solve(const sdk::Problem& problem, const sdk::Control& control,
                                    sdk::Solution& solution) noexcept override;

private:
    struct Given;
    explicit HostedSolver(std::shared_ptr<HostProcess> process);

    [[nodiscard]] bool perform(CallKind kind, const std::atomic<bool>* cancelled = nullptr);
    [[nodiscard]] std::int32_t answer() const;
    void post(const Given& packed);
    void makeRoom(Arena::Block& block, std::size_t bytes);

    std::shared_ptr<HostProcess> m_process;
    Arena::Block m_callBlock, m_model, m_solve; ///< m_model lasts until the next prepare()
    HostCall* m_call;
    std::uint32_t m_count = 0; ///< calls made
    Pace m_pace;
    AnswerCheck m_check;
    bool m_isOpen = false;
};

} // namespace tendon::host
