#include "app/editor/Editor.h"
#include "app/editor/GhostFrames.h"
#include "app/editor/Trail.h"
#include "core/document/MakeOperation.h"
#include "tests/support/TestProgram.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace tendon;
using namespace tendon::editor;

/// All frames of the shown range, and what is made of them: ghosts and trails.
class TestSolvedRange : public QObject
{
    Q_OBJECT

    SolverRegistry m_solvers;
    std::unique_ptr<Editor> m_editor;

    [[nodiscard]] const Scene& scene() const { return m_editor->document().scene(); }
    [[nodiscard]] SolvedRange& range() { return m_editor->range(); }
    [[nodiscard]] HandleId handle(const char* name) const { return scene().handleNamed(name)->id; }

    void apply(const QJsonObject& operation)
    {
        const auto done = m_editor->document().apply(operation);
        if (!done) qFatal("%s", done.error().text().c_str());
    }

    /// A foot that is at three places, at frames 1, 11 and 21.
    void keyFoot()
    {
        apply({{"op", "addClip"}, {"name", "step"}});
        apply({{"op", "setRange"}, {"from", 1}, {"to", 24}});
        for (const int frame : {1, 11, 21}) {
            m_editor->goToFrame(frame);
            apply({{"op", "setGoal"},
                   {"handle", "FootIK_L"},
                   {"position", QJsonArray{0.1, 0.1 + 0.01 * frame, 0.02 * frame}}});
            apply({{"op", "key"}, {"target", "FootIK_L"}, {"channels", QJsonArray{"goal.position"}}});
        }
        m_editor->goToFrame(11);
    }

    void waitUntilComplete()
    {
        (void)m_editor->finishFrame();
        QTRY_VERIFY_WITH_TIMEOUT(range().isComplete(), 20'000);
    }

    [[nodiscard]] std::vector<Ghost> ghosts(int frame)
    {
        const FramePtr shown = m_editor->frame();
        return ghostsAround(frame, m_editor->view().state(), range(), scene(), m_editor->document().clip(),
                            m_editor->selection(), *shown->rig);
    }

private slots:
    void initTestCase() { m_solvers.scan(); }

    void init()
    {
        m_editor = std::make_unique<Editor>(m_solvers);
        QVERIFY(m_editor->document().openSample("mannequin").has_value());
        range().setActive(true);
    }

    void everyFrameIsSolvedAsTheViewSolvesIt()
    {
        keyFoot();
        waitUntilComplete();
        QCOMPARE(range().frames().size(), std::size_t{24});
        for (const int frame : {1, 7, 16, 24}) {
            m_editor->goToFrame(frame);
            const FramePtr shown = m_editor->finishFrame();
            const RangeFramePtr known = range().find(frame)->frame, seen = rangeFrameOf(*shown);
            QVERIFY(!range().find(frame)->isAged);
            QVERIFY(known->quality == seen->quality);
            QVERIFY(known->joints == seen->joints);
            QCOMPARE(known->find(handle("FootIK_L"))->goal, shown->find(handle("FootIK_L"))->target.goal.position);
        }
    }

    void thoseNearThePlayheadComeFirst()
    {
        keyFoot();
        (void)m_editor->finishFrame();
        std::vector<int> order;
        std::set<int> frames;
        for (int frame = 1; frame <= 24; ++frame) frames.insert(frame);
        FrameRequest source;
        source.scene = std::make_shared<const Scene>(scene());
        source.clip = m_editor->document().edit().currentClip;
        source.frame = 11;
        bool hasEnded = false;
        RangePass pass(
            source, frames, true, std::make_shared<FrameEvaluator>(m_solvers), [] {}, [&] { hasEnded = true; });
        QTRY_VERIFY(hasEnded);
        for (const auto& [frame, kept] : pass.take()) order.push_back(frame);
        QCOMPARE(order.size(), frames.size());
        for (std::size_t i = 1; i < order.size(); ++i)
            QVERIFY2(std::abs(order[i] - 11) >= std::abs(order[i - 1] - 11), qPrintable(QString::number(order[i])));
    }

    void anEditAgesTheFramesUntilTheyAreSolvedAgain()
    {
        keyFoot();
        waitUntilComplete();
        const Vector3 before = range().find(20)->frame->find(handle("FootIK_L"))->goal;
        apply({{"op", "setKeyValue"},
               {"target", "FootIK_L"},
               {"channels", QJsonArray{"goal.position"}},
               {"frame", 21},
               {"by", QJsonArray{0.0, 0.2, 0.0}}});
        QVERIFY(!range().isComplete());
        QVERIFY(range().find(20)->isAged); // faint, and as it was
        QCOMPARE(range().find(20)->frame->find(handle("FootIK_L"))->goal, before);
        waitUntilComplete();
        QVERIFY(!range().find(20)->isAged);
        QVERIFY((range().find(20)->frame->find(handle("FootIK_L"))->goal - before).norm() > 0.1);
        QVERIFY(m_editor->document().undo());
        waitUntilComplete();
        QCOMPARE(range().find(20)->frame->find(handle("FootIK_L"))->goal, before);
    }

    /// Edits of all kinds, each at another stage of what the edit before has begun: the strip becomes whole each time.
    void itBecomesWholeWheneverAnEditComes()
    {
        keyFoot();
        waitUntilComplete();
        EditorDocument& document = m_editor->document();
        const std::vector<std::function<void()>> edits = {
            [&] {
                apply({{"op", "key"}, {"target", "FootIK_R"}});
            },
            [&] {
                apply({{"op", "setRange"}, {"from", 1}, {"to", 18}});
            },
            [&] {
                apply({{"op", "autoKey"}, {"on", true}});
            },
            [&] {
                apply({{"op", "setGoal"}, {"handle", "FootIK_L"}, {"position", QJsonArray{0.2, 0.2, 0.1}}});
            },
            [&] { m_editor->goToFrame(m_editor->shownFrame() == 5 ? 6 : 5); },
            [&] { (void)document.undo(); },
            [&] {
                document.gesture().begin();
                (void)document.gesture().update({{"op", "setRange"}, {"from", 1}, {"to", 20}});
                QCoreApplication::processEvents();
                document.gesture().cancel();
            },
            [&] {
                document.gesture().begin();
                (void)document.gesture().update(
                    {{"op", "setGoal"}, {"handle", "FootIK_R"}, {"position", QJsonArray{-0.1, 0.15, 0}}});
                document.gesture().finish();
            },
            [&] {
                apply({{"op", "setRange"}, {"from", 1}, {"to", 24}});
            },
        };
        const std::vector<std::function<void()>> stages = {
            [] {},                                                            // before anything has begun
            [] { QCoreApplication::processEvents(); },                        // while the clip is settled
            [&] { QTRY_VERIFY_WITH_TIMEOUT(m_editor->isSettled(), 20'000); }, // settled, the frames wait
        };
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            for (std::size_t first = 0; first < edits.size(); ++first) {
                edits[first]();
                stages[stage]();
                edits[(first + stage + 1) % edits.size()]();
                QTRY_VERIFY2_WITH_TIMEOUT(m_editor->isSettled() && range().isComplete(),
                                          qPrintable(QString("stage %1, edit %2").arg(stage).arg(first)), 20'000);
                for (int frame = scene().firstFrame; frame <= scene().lastFrame; ++frame)
                    QVERIFY(range().find(frame) != nullptr && !range().find(frame)->isAged);
            }
    }

    void whatTheViewHidesAsksForNoSolving()
    {
        keyFoot();
        waitUntilComplete();
        const RangeFramePtr before = range().find(3)->frame;
        apply({{"op", "setHidden"}, {"objects", QJsonArray{"Hand_L"}}});
        waitUntilComplete();
        QCOMPARE(range().find(3)->frame, before);
    }

    void anUnkeyedPoseCountsAtItsFrameUntilItIsDropped()
    {
        keyFoot();
        waitUntilComplete();
        const Vector3 keyed = range().find(11)->frame->find(handle("FootIK_L"))->goal;
        apply({{"op", "setGoal"}, {"handle", "FootIK_L"}, {"position", QJsonArray{0.3, 0.5, 0.1}}});
        QVERIFY(m_editor->document().isPosed());
        waitUntilComplete();
        QVERIFY((range().find(11)->frame->find(handle("FootIK_L"))->goal - Vector3(0.3, 0.5, 0.1)).norm() < 1e-12);
        m_editor->goToFrame(14);
        waitUntilComplete();
        QCOMPARE(range().find(11)->frame->find(handle("FootIK_L"))->goal, keyed);
    }

    void withoutAClipAllFramesAreTheSameAndOneIsSolved()
    {
        apply({{"op", "addClip"}, {"name", "nothing"}});
        waitUntilComplete();
        QCOMPARE(range().frames().size(), static_cast<std::size_t>(scene().lastFrame - scene().firstFrame + 1));
        const RangeFramePtr first = range().frames().begin()->second.frame;
        for (const auto& [frame, entry] : range().frames()) QCOMPARE(entry.frame, first);
    }

    void ghostsAreAtStepsOrKeysAndPinnedOnesStay()
    {
        keyFoot();
        waitUntilComplete();
        m_editor->view().edit([](ViewState& s) {
            s.showsGhosts = true;
            s.ghostCount = 3;
            s.ghostStep = 2;
        });
        const auto framesOf = [](const std::vector<Ghost>& all, Ghost::Side side) {
            std::vector<int> frames;
            for (const Ghost& ghost : all)
                if (ghost.side == side) frames.push_back(ghost.frame);
            return frames;
        };
        QCOMPARE(framesOf(ghosts(11), Ghost::Side::Past), (std::vector<int>{5, 7, 9})); // the nearest on top
        QCOMPARE(framesOf(ghosts(11), Ghost::Side::Future), (std::vector<int>{17, 15, 13}));
        QCOMPARE(framesOf(ghosts(2), Ghost::Side::Past), std::vector<int>{}); // nothing is solved before the range
        const std::vector<Ghost> around = ghosts(11);
        QVERIFY(around.front().strength < around.back().strength);
        m_editor->view().edit([](ViewState& s) { s.ghostPlace = GhostPlace::Keys; });
        QCOMPARE(framesOf(ghosts(14), Ghost::Side::Past), (std::vector<int>{1, 11}));
        QCOMPARE(framesOf(ghosts(14), Ghost::Side::Future), std::vector<int>{21});
        m_editor->view().edit([](ViewState& s) {
            s.showsGhosts = false;
            s.pinnedGhosts = {3};
        });
        QCOMPARE(framesOf(ghosts(14), Ghost::Side::Pinned), std::vector<int>{3});
        QVERIFY(ghosts(3).empty()); // the model itself is there
    }

    void aTrailGoesThroughTheGoalsAndMarksItsKeys()
    {
        keyFoot();
        waitUntilComplete();
        m_editor->selection().select(SelectionItem::of(handle("FootIK_L")));
        Trails trails;
        trails.update(m_editor->selection(), range(), scene(), m_editor->document().clip(), 11, true);
        QCOMPARE(trails.all().size(), std::size_t{1});
        const Trail& trail = trails.all().front();
        QCOMPARE(trail.points.size(), std::size_t{24});
        std::vector<int> keys;
        for (const Trail::Point& point : trail.points) {
            QCOMPARE(point.place, range().find(point.frame)->frame->find(handle("FootIK_L"))->goal);
            if (point.isKey) keys.push_back(point.frame);
            QCOMPARE(point.isMovable, point.isKey);
        }
        QCOMPARE(keys, (std::vector<int>{1, 11, 21}));
    }

    /// In the world, whatever space the key is in.
    void movingAKeyOfATrailMovesTheGoalByThatMuch_data()
    {
        QTest::addColumn<QString>("follow");
        QTest::newRow("world") << QString();
        QTest::newRow("along with the chest") << QString("Chest");
    }

    void movingAKeyOfATrailMovesTheGoalByThatMuch()
    {
        QFETCH(QString, follow);
        keyFoot();
        if (!follow.isEmpty()) apply({{"op", "setHandle"}, {"name", "FootIK_L"}, {"follow", follow}});
        if (!follow.isEmpty()) apply({{"op", "setPose"}, {"joint", "Spine1"}, {"rotation", QJsonArray{20, 40, -30}}});
        waitUntilComplete();
        const SelectionItem item = SelectionItem::of(handle("FootIK_L"));
        const Vector3 before = range().find(21)->frame->find(handle("FootIK_L"))->goal, way(0.05, -0.03, 0.12);
        const auto operation = moveTrailKey(scene(), m_editor->document().clip(), range(), item, 21, way, Layer::Keys);
        QVERIFY2(operation.has_value(), operation ? "" : operation.error().text().c_str());
        const std::size_t steps = m_editor->document().history().undoCount();
        apply(*operation);
        QCOMPARE(m_editor->document().history().undoCount(), steps + 1);
        waitUntilComplete();
        // Of the other layer none is taken.
        QVERIFY(!moveTrailKey(scene(), m_editor->document().clip(), range(), item, 21, way, Layer::Corrections));
        const Vector3 after = range().find(21)->frame->find(handle("FootIK_L"))->goal;
        QVERIFY2((after - before - way).norm() < 1e-6, // [m] the space is known in single precision
                 qPrintable(QString("%1 %2 %3").arg(after.x()).arg(after.y()).arg(after.z())));
    }

    void aPathThatComesFromRotationsSaysWhereToPose()
    {
        keyFoot();
        apply({{"op", "key"}, {"target", "Head"}});
        waitUntilComplete();
        const SelectionItem item = SelectionItem::of(*scene().jointNamed("Head"));
        const auto operation = moveTrailKey(scene(), m_editor->document().clip(), range(), item, 11, Vector3(0, 1, 0),
                                            Layer::Keys);
        QVERIFY(!operation.has_value());
        QVERIFY2(operation.error().message.find("go to frame 11") != std::string::npos,
                 operation.error().text().c_str());
    }
};

TENDON_TEST(TestSolvedRange)
#include "tst_solved_range.moc"
