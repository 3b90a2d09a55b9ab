#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/GhostFrames.h"
#include "app/editor/Theme.h"
#include "app/viewport/ViewGrid.h"

#include <QDir>
#include <QLineEdit>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTreeWidget>

namespace tendon::test {
namespace {

using namespace editor;

/// Seeing motion: ghosts, a path that is bent by its keys, a camera with memory, what is in the way put away, a film.
class SeeJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QTemporaryDir m_folder;

    [[nodiscard]] Vector3 rangeGoal(int frame, const char* handle)
    {
        w->state->range().finish();
        return w->state->range().find(frame)->frame->find(w->handle(handle))->goal;
    }

private slots:
    void open()
    {
        w = std::make_unique<RealWindow>("mannequin");
        w->state->goToFrame(13);
        w->settle();
        QVERIFY(w->document().clip() != nullptr);
    }

    void ghostsAndTheTrailAreSwitchedOnInTheToolBar()
    {
        w->clickRow("FootIK_L");
        const QImage before = w->seen();
        w->clickOn("button.view.ghosts");
        w->clickOn("button.view.trails");
        w->state->range().finish();
        w->settle();
        QVERIFY(w->state->view().state().showsGhosts && w->state->view().state().showsTrails);
        QVERIFY(w->seen() != before);
        w->picture("see-ghosts-and-trail");
    }

    void aKeyIsPulledOnItsPathAndUndoneAsOne()
    {
        // The last key of the foot that stands clear of the others.
        const std::set<int> keys = keyedFrames(w->scene(), w->document().clip(), {w->handle("FootIK_L").value});
        const int frame = *keys.rbegin();
        const Vector3 before = rangeGoal(frame, "FootIK_L");
        const Vector3 shown = w->goalOf("FootIK_L");
        const std::size_t steps = w->document().history().undoCount();
        w->drag(before, {0, -50}, 5);
        QCOMPARE(w->document().history().undoCount(), steps + 1);
        const Vector3 after = rangeGoal(frame, "FootIK_L");
        QVERIFY2(after.y() > before.y() + 0.03, qPrintable(QString("%1 to %2").arg(before.y()).arg(after.y())));
        QCOMPARE(w->document().edit().frame, 13);
        QVERIFY((w->goalOf("FootIK_L") - shown).norm() < 1e-9); // far from the key nothing has moved
        w->picture("see-key-pulled");
        w->key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY((rangeGoal(frame, "FootIK_L") - before).norm() < 1e-12);
        w->clickOn("button.view.trails");
        w->clickOn("button.view.ghosts");
    }

    void aPathThatIsInTheWayIsPutAwayInTheOutliner()
    {
        const auto markOf = [&](const char* name, int column) {
            auto* tree = w->find<QTreeWidget>("outliner.tree");
            QTreeWidgetItem* row = tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive).first();
            tree->scrollToItem(row);
            const QRect area = tree->visualItemRect(row);
            const int width = Theme::instance().px(18);
            QTest::mouseClick(
                tree->viewport(), Qt::LeftButton, {},
                QPoint(area.right() - Theme::instance().px(2) - (1 - column) * width - width / 2, area.center().y()));
            w->settle();
        };
        markOf("Clavicle_R", 0);
        QVERIFY(isJointHidden(w->scene(), w->joint("Hand_R")));
        markOf("HipsIK", 1);
        w->key(Qt::Key_Q);
        w->click(w->goalOf("HipsIK"));
        QVERIFY(w->state->selection().active() != SelectionItem::of(w->handle("HipsIK")));
        w->picture("see-hidden-and-locked");
    }

    void theCameraIsFoundAgain()
    {
        const viewport::Camera own = w->view->camera();
        w->command("Right");
        QVERIFY(w->view->camera().isOrthographic);
        w->command("Perspective");
        QVERIFY(w->view->camera() == own);
        w->reply("Front row");
        w->command("Bookmark camera");
        w->settle();
        QVERIFY(w->scene().view->bookmarkNamed("Front row") != nullptr);
        w->key(Qt::Key_F);
        w->settle();
        QVERIFY(!(w->view->camera() == own));
        w->command("Previous view");
        w->settle();
        QVERIFY(w->view->camera() == own);
    }

    void fourViewsAndBack()
    {
        w->key(Qt::Key_Space, Qt::ControlModifier);
        auto* grid = w->window->findChild<viewport::ViewGrid*>();
        QVERIFY(grid != nullptr && grid->isFour());
        w->settle();
        w->picture("see-four-views");
        w->key(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(!grid->isFour());
    }

    void theProjectOpensAsItWasSeen()
    {
        viewport::Camera closer = w->view->camera();
        closer.distance *= 0.7;
        w->view->setCamera(closer);
        const QString path = m_folder.filePath("seen.tendon");
        w->answerFile(path);
        w->command("Save as");
        QVERIFY(QFile::exists(path));
        w->view->setCamera(viewport::Camera());
        QVERIFY(w->document().openFile(path).has_value());
        w->settle();
        const viewport::Camera& seen = w->view->camera();
        QVERIFY((seen.target - closer.target).norm() < 1e-9 && std::abs(seen.distance - closer.distance) < 1e-9);
        QVERIFY(std::abs(seen.yaw - closer.yaw) < 1e-12 && std::abs(seen.pitch - closer.pitch) < 1e-12);
        QVERIFY(isJointHidden(w->scene(), w->joint("Hand_R")));
        QVERIFY(w->scene().view->locked.count(w->handle("HipsIK").value) == 1);
        QVERIFY(!w->document().isModified());
    }

    void aPlayblastDrawsTheRange()
    {
        w->command("Playblast");
        auto* file = w->find<QLineEdit>("playblast.file");
        file->setText(m_folder.filePath("film.####.png"));
        w->find<QSpinBox>("playblast.first")->setValue(3);
        w->find<QSpinBox>("playblast.last")->setValue(6);
        w->clickOn("playblast.start");
        QTRY_COMPARE_WITH_TIMEOUT(QDir(m_folder.path()).entryList({"film.*.png"}).size(), qsizetype{4}, 60'000);
        QTRY_VERIFY(w->window->findChild<QProgressDialog*>("progress") == nullptr);
        const QImage first(m_folder.filePath("film.0003.png")), last(m_folder.filePath("film.0006.png"));
        QCOMPARE(first.size(), QSize(1280, 720));
        QVERIFY(!last.isNull() && first != last);
        QVERIFY(!w->document().isModified()); // it has a document of its own
    }
};

} // namespace

std::unique_ptr<QObject> makeSeeJourney() { return std::make_unique<SeeJourney>(); }

} // namespace tendon::test

#include "See.moc"
