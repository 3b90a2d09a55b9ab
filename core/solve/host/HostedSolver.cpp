#include "core/solve/host/HostedSolver.h"

#include "core/solve/host/Packer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace tendon::host {
namespace {

template <class T>
void fetch(const std::byte* from, std::span<T> into, std::size_t most = ~std::size_t{0})
{
    const std::size_t bytes = std::min(most, into.size()) * sizeof(T);
    if (bytes > 0) std::memcpy(into.data(), from, bytes);
}

template <class T>
void fetch(const std::byte* from, const sdk::Rows<T>& into, std::size_t most = ~std::size_t{0})
{
    const std::size_t bytes = std::min<std::size_t>(most, into.count) * into.stride;
    if (bytes > 0) std::memcpy(into.data, from, bytes);
}

/// What a solve needs at most, but for long recordings and curves.
std::size_t usualRoom(const sdk::Model& model, std::int32_t maxGoals)
{
    constexpr std::size_t kMore = 64 << 10; // a page that nobody writes to costs nothing
    const auto number = [](std::int32_t count) { return static_cast<std::size_t>(std::max(count, 0)); };
    const std::size_t numbers = 9 * number(model.bodyCount) + 6 * number(model.coordinateCount);
    return numbers * sizeof(double) + 2 * number(model.dofCount) +
           number(maxGoals) * (sizeof(sdk::Goal) + sizeof(sdk::GoalResult)) + kMore;
}

} // namespace

/// What the caller of solve() has given, member by member as far as its structs reach.
struct HostedSolver::Given
{
    Given(const sdk::Problem& p, const sdk::Control& c, const sdk::Solution& s)
        : problem(sdk::read(&p)), objectives(sdk::read(p.objectives)), curve(sdk::read(p.curve)),
          stop(sdk::read(p.stop)), control(sdk::read(&c)), solution(sdk::read(&s)),
          extensionCount(control.extensions.isLargeEnough()
                             ? std::min<std::size_t>(control.extensions.count, HostCall::kMaxExtensions)
                             : 0)
    {
    }

    /// Lays everything into the packer's block.
    void pack(Packer& packer)
    {
        const auto put = [&packer](auto&... arrays) { ((arrays = packer.put(arrays)), ...); };
        put(problem.base, problem.seed, problem.posture, problem.natural, problem.previous, problem.locked,
            problem.goals, curve.points);
        const auto putAt = [&packer](std::size_t& at, auto& array) {
            at = packer.size();
            array = packer.put(array);
        };
        putAt(places.q, solution.q);
        putAt(places.stretch, solution.stretch);
        putAt(places.goals, solution.goals);
        putAt(places.limitHits, solution.limitHits);
        putAt(places.trace, control.trace);
        putAt(places.configurations, control.traceConfigurations);
        for (std::size_t i = 0; i < extensionCount; ++i) {
            extensions[i] = control.extensions[i];
            putAt(places.extensions[i], extensions[i].rows);
        }
    }

    /// Where the arrays that a solve writes lie in the block.
    struct Places
    {
        std::size_t q = 0, stretch = 0, goals = 0, limitHits = 0, trace = 0, configurations = 0;
        std::array<std::size_t, HostCall::kMaxExtensions> extensions{};
    };

    sdk::Problem problem;
    sdk::Objectives objectives;
    sdk::Curve curve;
    sdk::Stop stop;
    sdk::Control control;
    sdk::Solution solution;
    std::size_t extensionCount;
    std::array<sdk::Extension, HostCall::kMaxExtensions> extensions;
    Places places;
};

HostedSolver::HostedSolver(std::shared_ptr<HostProcess> process)
    : m_process(std::move(process)), m_callBlock(m_process->arena().allocate(sizeof(HostCall))),
      m_call(new (m_callBlock.data()) HostCall)
{
}

std::unique_ptr<sdk::Solver> HostedSolver::create(std::shared_ptr<HostProcess> process)
{
    if (process->isAtFault()) return nullptr;
    std::unique_ptr<HostedSolver> made(new HostedSolver(std::move(process)));
    made->m_isOpen = made->m_process->open(*made->m_call);
    if (!made->m_isOpen || !made->perform(CallKind::Create) || made->answer() != 1) return nullptr;
    return made;
}

HostedSolver::~HostedSolver()
{
    if (m_isOpen) (void)perform(CallKind::Destroy);
    m_process->close(*m_call);
}

bool HostedSolver::perform(CallKind kind, const std::atomic<bool>* cancelled)
{
    return m_process->perform(*m_call, kind, ++m_count, m_pace, cancelled);
}

std::int32_t HostedSolver::answer() const { return m_call->answer; }

void HostedSolver::makeRoom(Arena::Block& block, std::size_t bytes)
{
    if (block.size() < bytes) block = m_process->arena().allocate(bytes);
}

bool HostedSolver::setParameter(std::string_view id, double value) noexcept
{
    if (id.size() > sizeof m_call->id) return false;
    std::copy(id.begin(), id.end(), m_call->id);
    m_call->idLength = static_cast<std::uint32_t>(id.size());
    m_call->value = value;
    return perform(CallKind::SetParameter) && answer() == 1;
}

sdk::Status HostedSolver::prepare(const sdk::Model& given, std::int32_t maxGoals) noexcept
{
    const sdk::Model model = sdk::read(&given);
    Packer count;
    packed(model, count);
    try {
        // The old model stays until the solver has let go of it.
        Arena::Block block = m_process->arena().allocate(count.size());
        Packer packer(block.data(), m_process->theirs<std::byte>(block.offset()));
        m_call->model = packed(model, packer);
        m_call->maxGoals = maxGoals;
        makeRoom(m_solve, usualRoom(model, maxGoals));
        const bool isDone = perform(CallKind::Prepare);
        std::swap(m_model, block);
        m_check.prepare(model);
        const auto status = static_cast<sdk::Status>(answer());
        if (isDone && AnswerCheck::isStatus(status)) return status;
        if (isDone)
            m_process->accuse("returned " + std::to_string(answer()) + ", which is no status, while it prepared");
        return sdk::Status::Unsupported;
    } catch (const std::bad_alloc&) {
        return sdk::Status::Unsupported;
    }
}

sdk::Status HostedSolver::solve(const sdk::Problem& problem, const sdk::Control& control,
                                sdk::Solution& solution) noexcept
{
    const Given ours(problem, control, solution);
    Given theirs = ours;
    Packer count;
    theirs.pack(count);
    try {
        makeRoom(m_solve, count.size());
    } catch (const std::bad_alloc&) {
        return sdk::Status::NumericalFailure;
    }
    theirs = ours;
    Packer packer(m_solve.data(), m_process->theirs<std::byte>(m_solve.offset()));
    theirs.pack(packer);
    post(theirs);
    if (!perform(CallKind::Solve, ours.control.cancelled)) return sdk::Status::NumericalFailure;

    // Only what is ours says how large things are.
    const sdk::Solution told = m_call->solution;
    solution.iterations = told.iterations;
    solution.starts = told.starts;
    solution.traceRows = std::clamp(told.traceRows, 0, static_cast<std::int32_t>(ours.control.trace.count));
    solution.cost = told.cost;
    solution.seconds = told.seconds;
    const std::byte* block = m_solve.data();
    const auto traced = static_cast<std::size_t>(solution.traceRows);
    fetch(block + theirs.places.q, ours.solution.q);
    fetch(block + theirs.places.stretch, ours.solution.stretch);
    fetch(block + theirs.places.goals, ours.solution.goals);
    fetch(block + theirs.places.limitHits, ours.solution.limitHits);
    fetch(block + theirs.places.trace, ours.control.trace, traced);
    fetch(block + theirs.places.configurations, ours.control.traceConfigurations, traced * ours.solution.q.size());
    for (std::size_t i = 0; i < ours.extensionCount; ++i) {
        sdk::Extension& extension = ours.control.extensions[i];
        const std::int32_t used = m_call->extensions[i].used;
        extension.used = std::clamp(used, 0, static_cast<std::int32_t>(extension.rows.count));
        fetch(block + theirs.places.extensions[i], extension.rows, static_cast<std::size_t>(extension.used));
    }
    const auto status = static_cast<sdk::Status>(answer());
    const auto untruth = m_check.untruth(ours.problem, status, ours.solution);
    if (!untruth) return status;
    m_process->accuse(*untruth);
    return sdk::Status::NumericalFailure;
}

/// Writes what was packed into the call, with pointers to what lies in the call itself.
void HostedSolver::post(const Given& packed)
{
    HostCall& call = *m_call;
    call.objectives = packed.objectives;
    call.curve = packed.curve;
    call.stop = packed.stop;
    call.problem = packed.problem;
    call.control = packed.control;
    call.solution = packed.solution;
    const auto pointTo = [&](auto& pointer, const auto& member) {
        const auto* place = reinterpret_cast<const std::byte*>(&member);
        const std::size_t offset = m_callBlock.offset() + static_cast<std::size_t>(place - m_callBlock.data());
        if (pointer != nullptr) pointer = m_process->theirs<std::remove_reference_t<decltype(*pointer)>>(offset);
    };
    pointTo(call.problem.objectives, call.objectives);
    pointTo(call.problem.curve, call.curve);
    pointTo(call.problem.stop, call.stop);
    pointTo(call.control.cancelled, call.cancelled);
    std::copy_n(packed.extensions.begin(), packed.extensionCount, call.extensions);
    call.control.extensions = {call.extensions, packed.extensionCount, sizeof(sdk::Extension)};
    pointTo(call.control.extensions.data, call.extensions);
}

} // namespace tendon::host
