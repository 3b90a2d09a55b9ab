#include "app/editor/Editor.h"
#include "core/document/Script.h"
#include "resources/samples/Samples.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestProgram.h"

#include <QSignalSpy>
#include <QtTest>

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>

using namespace tendon;
using namespace tendon::editor;
using namespace tendon::test;

/// The solves of all threads pass here. Closed after some of them, it holds the others until it is opened.
class Gate
{
    auto locked(const auto& read) const
    {
        const std::lock_guard lock(m_mutex);
        return read();
    }

public:
    void pass()
    {
        std::unique_lock lock(m_mutex);
        ++m_passing;
        ++m_arrived;
        m_changed.notify_all();
        if (!m_changed.wait_for(lock, std::chrono::seconds(20), [this] { return m_arrived <= m_open; })) {
            m_isStuck = true; // somebody waits for a solve that only it could let go
            m_open = kAll;
        }
        --m_passing;
    }
    void open() { set(kAll); }
    void closeAfter(std::uint64_t solves) { set(arrived() + solves); }
    [[nodiscard]] std::uint64_t arrived() const
    {
        return locked([this] { return m_arrived; });
    }
    [[nodiscard]] bool isHolding() const
    {
        return locked([this] { return m_arrived > m_open; });
    }
    [[nodiscard]] bool isEmpty() const
    {
        return locked([this] { return m_passing == 0; });
    }
    [[nodiscard]] bool isStuck() const
    {
        return locked([this] { return m_isStuck; });
    }

private:
    static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    void set(std::uint64_t open)
    {
        const std::lock_guard lock(m_mutex);
        m_open = open;
        m_changed.notify_all();
    }
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_arrived = 0, m_open = kAll;
    int m_passing = 0;
    bool m_isStuck = false;
};

/// Solvers that take their time never hold the window up: while a gate holds every solve, whatever the window does
/// returns. If it waited for a solve, the gate would notice.
class TestSlowSolvers : public QObject
{
    Q_OBJECT
private:
    SolverRegistry m_solvers;
    Gate m_gate;
    std::unique_ptr<Editor> m_editor;

    [[nodiscard]] EditorDocument& document() { return m_editor->document(); }
    /// Lets all solves go and waits until none is left.
    [[nodiscard]] bool settle()
    {
        m_gate.open();
        const bool isOver = QTest::qWaitFor([this] { return document().work().isEmpty() && m_gate.isEmpty(); }, 20'000);
        QCoreApplication::processEvents();
        return isOver;
    }
    /// Three joints in a row and nothing else.
    void makeChain()
    {
        m_editor = std::make_unique<Editor>(m_solvers);
        QVERIFY(document().applyNow({{"op", "addJoint"}, {"name", "a"}}));
        QVERIFY(document().applyNow(
            {{"op", "addJoint"}, {"name", "b"}, {"parent", "a"}, {"translation", QJsonArray{0, 1, 0}}}));
        QVERIFY(document().applyNow(
            {{"op", "addJoint"}, {"name", "c"}, {"parent", "b"}, {"translation", QJsonArray{0, 1, 0}}}));
    }
    /// With a handle that is keyed at frames 1 and 96.
    void makeWalk()
    {
        makeChain();
        QVERIFY(document().applyNow({{"op", "addHandle"}, {"name", "h"}, {"start", "a"}, {"end", "c"}}));
        QVERIFY(document().applyNow({{"op", "key"}, {"target", "h"}}));
        QVERIFY(document().applyNow({{"op", "setFrame"}, {"value", 96}}));
        QVERIFY(document().applyNow({{"op", "setGoal"}, {"handle", "h"}, {"position", QJsonArray{1, 1, 0}}}));
        QVERIFY(document().applyNow({{"op", "key"}, {"target", "h"}}));
    }
    [[nodiscard]] QByteArray bytesOf(const Project& project) const
    {
        const auto bytes = projectBytes(project, "/nowhere/a.tendon");
        return bytes ? QByteArray(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()))
                     : QByteArray();
    }
    [[nodiscard]] bool replaysToTheSameBytes()
    {
        const auto script = parseScript(scriptToText(document().recorded()));
        Document replayed = openDocument({}, {}, m_solvers);
        if (!script || !runScript(replayed, *script)) return false;
        const QByteArray ours = bytesOf(
            {document().scene(), {document().edit().currentClip, document().edit().frame, document().edit().camera}});
        return !ours.isEmpty() && ours == bytesOf(projectOf(replayed));
    }
    /// Joints that turn freely, which turnAll() leaves, about z.
    static void turnBalls(double angle, const sdk::Model& model, sdk::Solution& solution)
    {
        for (std::size_t body = 0; body < model.kind.size(); ++body) {
            if (model.kind[body] != sdk::JointKind::Ball) continue;
            double* xyzw = solution.q.data() + model.qBegin[body];
            xyzw[0] = xyzw[1] = 0;
            xyzw[2] = std::sin(angle / 2);
            xyzw[3] = std::cos(angle / 2);
        }
    }
private slots:
    void initTestCase()
    {
        // The usual solver is slow: what solves by default is meant as well.
        addScripted(m_solvers, std::string(SolverRegistry::kDefaultAlias),
                    [this](const sdk::Model& model, const sdk::Problem& problem, sdk::Solution& solution) {
                        m_gate.pass();
                        const double angle = problem.goals.empty() ? 0.1 : 0.1 + problem.goals[0].targetPosition[0];
                        turnBalls(angle, model, solution);
                        return turnAll(angle)(model, problem, solution);
                    });
    }
    void cleanup()
    {
        m_gate.open();
        m_editor.reset();
        QVERIFY2(!m_gate.isStuck(), "the window waited for a solve");
    }
    void aDragStaysResponsiveAndEndsWhereTheMouseWasReleased();
    void aCancelledBakeLeavesNothing();
    void aBakeIncludesEditsMadeMeanwhile();
    void scrubbingDoesNotRestartABake();
    void aPoseIsPastedAfterItWasCopied();
    void undoCancelsRunningWork();
    void anEditAfterADragWaitsForTheDrag();
    void openingAnotherDocumentCancelsRunningWork();
    void quickOperationsAreDoneAtOnce();
    void aDragWhoseSolverHangsIsCancelled();
    void aRangeThatWasHeldUpGoesOn();
};

void TestSlowSolvers::aDragStaysResponsiveAndEndsWhereTheMouseWasReleased()
{
    makeChain();
    const FramePtr frame = m_editor->finishFrame();
    const JointId joint = *document().scene().jointNamed("c");
    const std::size_t steps = document().history().undoCount();
    QVERIFY(m_editor->drag().begin(SelectionItem::of(joint), DragSession::Kind::Move, frame));
    QSignalSpy changed(&document(), &EditorDocument::changed);
    int moves = 0;
    const auto moveSome = [&] {
        m_gate.closeAfter(0);
        for (int i = 0; i < 10; ++i) {
            QVERIFY(m_editor->drag().moveTo(Vector3(0.01 * ++moves, 2, 0)));
            QCoreApplication::processEvents();
        }
        QTRY_VERIFY(m_gate.isHolding());
    };
    for (int seen = 1; seen <= 2; ++seen) { // the chain follows before the mouse is released
        moveSome();
        m_gate.open();
        QTRY_VERIFY(changed.count() >= seen);
    }
    moveSome();
    m_editor->drag().commit();
    QVERIFY(!m_editor->drag().isActive());
    m_gate.open();
    QVERIFY(document().work().finish());
    QCOMPARE(document().history().undoCount(), steps + 1);
    QCOMPARE(document().recorded().back().value("op").toString(), QString("drag"));
    QCOMPARE(document().recorded().back().value("to").toArray().at(0).toDouble(), 0.01 * moves);
    QVERIFY(replaysToTheSameBytes());
    QVERIFY(document().undo());
    QCOMPARE(document().history().undoCount(), steps);
}

void TestSlowSolvers::aCancelledBakeLeavesNothing()
{
    makeWalk();
    m_editor->finishFrame();
    const Scene before = document().scene();
    const std::size_t recorded = document().recorded().size();
    QSignalSpy worked(&document(), &EditorDocument::workChanged);
    m_gate.closeAfter(40);
    QVERIFY(document().apply({{"op", "bakeClip"}, {"clip", "Clip"}, {"into", "baked"}}));
    QTRY_VERIFY(m_gate.isHolding());
    QVERIFY(document().work().progress() < 1);
    document().work().cancel();
    QVERIFY(document().work().isEmpty());
    QVERIFY(settle());
    QCOMPARE(worked.last().first().toBool(), false);
    QVERIFY(document().scene() == before);
    QCOMPARE(document().recorded().size(), recorded);
}

void TestSlowSolvers::aBakeIncludesEditsMadeMeanwhile()
{
    makeWalk();
    bool isDone = false;
    m_gate.closeAfter(10);
    QVERIFY(document().work().apply({{"op", "bakeClip"}, {"clip", "Clip"}, {"into", "baked"}}, document().services(),
                                    [&](const Result<void>& done) { isDone = done.has_value(); }));
    QTRY_VERIFY(m_gate.isHolding());
    QVERIFY(!isDone);
    QVERIFY(document().apply({{"op", "addJoint"}, {"name", "late"}, {"parent", "c"}}));
    QVERIFY2(document().scene().jointNamed("late"), "an edit has to wait for a bake");
    QVERIFY(!isDone);
    QVERIFY(settle());
    QVERIFY(isDone);
    QVERIFY(document().scene().clipNamed("baked") != nullptr && document().scene().jointNamed("late"));
    QCOMPARE(document().recorded().back().value("op").toString(), QString("bakeClip"));
    QVERIFY(replaysToTheSameBytes());
}

void TestSlowSolvers::scrubbingDoesNotRestartABake()
{
    // The solves that a bake takes if every few of them something happens.
    const auto solvesOfBake = [this](const std::function<void(int step)>& meanwhile) -> std::uint64_t {
        constexpr std::uint64_t kFew = 8;
        m_gate.open();
        makeWalk();
        (void)document().apply({{"op", "setGoal"}, {"handle", "h"}, {"position", QJsonArray{0, 2, 0}}});
        m_editor->finishFrame(); // posed and not keyed: scrubbing drops it
        const std::uint64_t before = m_gate.arrived();
        m_gate.closeAfter(kFew);
        (void)document().apply({{"op", "bakeClip"}, {"clip", "Clip"}, {"into", "baked"}});
        for (int step = 0; !document().work().isEmpty() && step < 1000; ++step) {
            if (!QTest::qWaitFor([this] { return m_gate.isHolding() || document().work().isEmpty(); }, 20'000))
                return 0;
            meanwhile(step);
            QCoreApplication::processEvents();
            m_gate.closeAfter(kFew);
        }
        m_gate.open();
        return document().scene().clipNamed("baked") != nullptr && replaysToTheSameBytes() ? m_gate.arrived() - before
                                                                                           : 0;
    };
    const std::uint64_t undisturbed = solvesOfBake([](int) {});
    QVERIFY(undisturbed >= 96);
    const std::uint64_t scrubbed = solvesOfBake([this](int step) { m_editor->goToFrame(1 + step % 7); });
    QVERIFY2(scrubbed > 0 && scrubbed < undisturbed * 3 / 2, "baked twice"); // the frames seen are solved as well
    QCOMPARE(document().edit().pending.size(), std::size_t(0));
    // What goes into it does begin it anew.
    const std::uint64_t edited = solvesOfBake([this](int step) {
        if (step == 8) QVERIFY(document().apply({{"op", "addJoint"}, {"name", "late"}, {"parent", "c"}}));
    });
    QVERIFY2(edited > undisturbed * 3 / 2, "an edit of what is baked is left out");
}

void TestSlowSolvers::aPoseIsPastedAfterItWasCopied()
{
    makeWalk();
    m_gate.closeAfter(0);
    QVERIFY(document().edit().copiedPose.joints.empty());
    QVERIFY(document().apply({{"op", "copyPose"}}));
    QVERIFY(document().apply({{"op", "pastePose"}}));
    QVERIFY(document().apply({{"op", "switch"}, {"handle", "h"}, {"to", "fk"}}));
    QVERIFY(!document().work().isEmpty());
    QCoreApplication::processEvents();
    m_gate.open();
    QVERIFY(document().work().finish());
    const auto& recorded = document().recorded();
    QCOMPARE(recorded[recorded.size() - 3].value("op").toString(), QString("copyPose"));
    QCOMPARE(recorded[recorded.size() - 2].value("op").toString(), QString("pastePose"));
    QCOMPARE(recorded[recorded.size() - 1].value("op").toString(), QString("switch"));
    QVERIFY(replaysToTheSameBytes());
}

void TestSlowSolvers::undoCancelsRunningWork()
{
    makeWalk();
    const Scene before = document().scene();
    const std::size_t steps = document().history().undoCount();
    m_gate.closeAfter(0);
    QVERIFY(document().apply({{"op", "switch"}, {"handle", "h"}, {"to", "fk"}}));
    QVERIFY(document().canUndo());
    QVERIFY(document().undo());
    QVERIFY(settle());
    QVERIFY(document().scene() == before);
    QCOMPARE(document().history().undoCount(), steps);

    // A drag that was let go of and has not come to its end.
    QVERIFY(document().applyNow({{"op", "removeHandle"}, {"name", "h"}}));
    const Scene unposed = document().scene();
    const FramePtr frame = m_editor->finishFrame();
    m_gate.closeAfter(0);
    QVERIFY(
        m_editor->drag().begin(SelectionItem::of(*document().scene().jointNamed("c")), DragSession::Kind::Move, frame));
    QVERIFY(m_editor->drag().moveTo(Vector3(0.5, 2, 0)));
    m_editor->drag().commit();
    QVERIFY(document().undo());
    QVERIFY(settle());
    QVERIFY(document().scene() == unposed);
    QCOMPARE(document().history().undoCount(), steps + 1);
}

void TestSlowSolvers::anEditAfterADragWaitsForTheDrag()
{
    makeChain();
    const FramePtr frame = m_editor->finishFrame();
    m_gate.closeAfter(0);
    QVERIFY(
        m_editor->drag().begin(SelectionItem::of(*document().scene().jointNamed("c")), DragSession::Kind::Move, frame));
    QVERIFY(m_editor->drag().moveTo(Vector3(0.5, 2, 0)));
    m_editor->drag().commit();
    QVERIFY(document().apply({{"op", "key"}, {"target", "b"}}));
    m_gate.open();
    QVERIFY(document().work().finish());
    QCOMPARE(document().recorded()[document().recorded().size() - 2].value("op").toString(), QString("drag"));
    QCOMPARE(document().recorded().back().value("op").toString(), QString("key"));
    QVERIFY(document().clip() != nullptr && document().clip()->hasKeys());
    QVERIFY(replaysToTheSameBytes());
}

void TestSlowSolvers::openingAnotherDocumentCancelsRunningWork()
{
    makeWalk();
    m_gate.closeAfter(0);
    bool wasCancelled = false;
    QVERIFY(document().work().apply(
        {{"op", "switch"}, {"handle", "h"}, {"to", "fk"}}, document().services(),
        [&](const Result<void>& done) { wasCancelled = !done && done.error().code == ErrorCode::Cancelled; }));
    document().clear();
    QVERIFY(wasCancelled);
    QVERIFY(settle());
    QVERIFY(document().scene().joints->empty());
    QVERIFY(document().recorded().empty());
    QVERIFY(document().work().isEmpty());
}

void TestSlowSolvers::quickOperationsAreDoneAtOnce()
{
    makeWalk();
    constexpr int kOften = 40; // a busy machine may be too slow for most of them
    bool isAtOnce = false;
    for (int i = 0; i < kOften && !isAtOnce; ++i) {
        QVERIFY(document().apply({{"op", "copyPose"}}));
        isAtOnce = document().work().isEmpty();
        QVERIFY(document().work().finish());
        QVERIFY(!document().edit().copiedPose.joints.empty());
    }
    QVERIFY(isAtOnce);
    // Errors are handed back then, too, and reported once.
    QSignalSpy reported(&document(), &EditorDocument::reported);
    bool isRefused = false;
    for (int i = 0; i < kOften && !isRefused; ++i) {
        reported.clear();
        isRefused = !document().apply({{"op", "switch"}, {"handle", "nobody"}, {"to", "fk"}});
        QVERIFY(document().work().finish());
    }
    QVERIFY(isRefused);
    QCOMPARE(reported.count(), 1);
}

void TestSlowSolvers::aDragWhoseSolverHangsIsCancelled()
{
    makeChain();
    const Scene before = document().scene();
    const FramePtr frame = m_editor->finishFrame();
    m_gate.closeAfter(0); // for longer than a gesture waits
    QSignalSpy reported(&document(), &EditorDocument::reported);
    QVERIFY(
        m_editor->drag().begin(SelectionItem::of(*document().scene().jointNamed("c")), DragSession::Kind::Move, frame));
    QVERIFY(m_editor->drag().moveTo(Vector3(0.5, 2, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(!m_editor->drag().isActive(), 3 * GestureWork::kHang);
    m_gate.open();
    QCOMPARE(reported.count(), 1);
    QVERIFY(document().scene() == before);
    QVERIFY(document().apply({{"op", "addJoint"}, {"name", "d"}})); // and it goes on
}

/// A busy machine lets a thread wait as long as a solver that hangs: the strip has to become whole all the same.
void TestSlowSolvers::aRangeThatWasHeldUpGoesOn()
{
    makeWalk();
    m_editor->finishFrame();
    SolvedRange& range = m_editor->range();
    m_gate.closeAfter(0);
    range.setActive(true);
    QTRY_VERIFY(m_gate.isHolding());
    QSignalSpy changed(&range, &SolvedRange::changed);
    QTRY_VERIFY_WITH_TIMEOUT(changed.count() > 0, 3 * RangePass::kHang); // it has been given up
    QVERIFY(!range.isComplete());
    m_gate.open(); // nothing else happens that would begin it again
    QTRY_VERIFY_WITH_TIMEOUT(range.isComplete(), 20'000);
    QVERIFY(document().applyNow({{"op", "setRange"}, {"from", 1}, {"to", 40}}));
    QVERIFY(document().applyNow({{"op", "setGoal"}, {"handle", "h"}, {"position", QJsonArray{0.7, 1, 0}}}));
    QVERIFY(document().applyNow({{"op", "key"}, {"target", "h"}}));
    QTRY_VERIFY_WITH_TIMEOUT(m_editor->isSettled() && range.isComplete(), 20'000);
    const HandleId h = document().scene().handleNamed("h")->id;
    for (int frame = 1; frame <= 40; ++frame) {
        QVERIFY2(range.find(frame) != nullptr && !range.find(frame)->isAged, qPrintable(QString::number(frame)));
        m_editor->goToFrame(frame);
        QCOMPARE(range.find(frame)->frame->find(h)->goal, m_editor->finishFrame()->find(h)->target.goal.position);
    }
}

TENDON_TEST(TestSlowSolvers)
#include "tst_slow_solvers.moc"
