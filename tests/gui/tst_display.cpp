#include "app/widgets/PlayblastDialog.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QComboBox>
#include <QInputDialog>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// What of the scene is shown, by the outliner's eyes and locks and by the menus.
class TestDisplay : public QObject
{
    Q_OBJECT

    QTemporaryDir m_profile;
    std::unique_ptr<WindowUnderTest> w;

    [[nodiscard]] const ViewSetup& view() const { return *w->document().scene().view; }
    [[nodiscard]] ObjectId object(const char* name) const
    {
        const Scene& scene = w->document().scene();
        const Handle* handle = scene.handleNamed(name);
        return handle != nullptr ? handle->id.value : scene.jointNamed(name)->value;
    }

    /// Clicks a row's eye (0) or lock (1).
    void clickMark(const char* name, int column)
    {
        auto* tree = w->find<QTreeWidget>("outliner.tree");
        const auto rows = tree->findItems(QString::fromLatin1(name), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(rows.size(), qsizetype{1});
        tree->scrollToItem(rows.first());
        const QRect row = tree->visualItemRect(rows.first());
        const int width = Theme::instance().px(18);
        const int x = row.right() - Theme::instance().px(2) - (column == 0 ? width : 0) - width / 2;
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(x, row.center().y()));
        w->settle();
    }

    /// Answers the question for a name that `id` asks.
    void runAndName(const char* id, const QString& name)
    {
        QTimer::singleShot(0, this, [name] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) qFatal("no name is asked for");
            dialog->setTextValue(name);
            dialog->accept();
        });
        w->window->commands().run(QLatin1StringView(id));
        w->settle();
    }

    /// The entries that a menu has when it opens.
    [[nodiscard]] QMenu* opened(const QString& title)
    {
        for (QMenu* menu : w->window->findChildren<QMenu*>())
            if (menu->title() == title) {
                emit menu->aboutToShow();
                return menu;
            }
        qFatal("there is no such menu");
        return nullptr;
    }
    static QAction* entry(QMenu* menu, const QString& text)
    {
        for (QAction* action : menu->actions())
            if (action->text() == text) return action;
        return nullptr;
    }

private slots:
    void init()
    {
        test::useFreshProfile(m_profile.path());
        w = std::make_unique<WindowUnderTest>("mannequin");
    }

    void theEyeHidesAJointAndUndoShowsIt()
    {
        const std::vector<SelectionItem> selected = w->state->selection().items();
        clickMark("Clavicle_L", 0);
        QVERIFY(isJointHidden(w->document().scene(), JointId{object("Hand_L")})); // below it
        QVERIFY(w->state->selection().items() == selected);                       // a mark is not a row
        clickMark("Clavicle_L", 0);
        QVERIFY(view().hidden.empty());
        QVERIFY(w->document().undo());
        QCOMPARE(view().hidden, std::set<ObjectId>{object("Clavicle_L")});
        QVERIFY(w->document().undo());
        QVERIFY(view().hidden.empty());
    }

    void theLockOfASelectedRowIsThatOfAllSelectedRows()
    {
        w->state->selection().select(
            {SelectionItem::of(HandleId{object("FootIK_L")}), SelectionItem::of(HandleId{object("FootIK_R")})});
        w->settle();
        const std::size_t steps = w->document().history().undoCount();
        clickMark("FootIK_R", 1);
        QCOMPARE(view().locked, (std::set<ObjectId>{object("FootIK_L"), object("FootIK_R")}));
        QCOMPARE(w->document().history().undoCount(), steps + 1);
        clickMark("HipsIK", 1);
        QCOMPARE(view().locked.size(), std::size_t{3});
        w->window->commands().run("view.unlockAll");
        QVERIFY(view().locked.empty());
    }

    void keysOfBlenderHideShowAndIsolate()
    {
        w->window->setKeyPreset(KeyPreset::Blender);
        w->select("HandIK_L");
        w->window->viewport().widget->setFocus();
        w->key(Qt::Key_H);
        QCOMPARE(view().hidden, std::set<ObjectId>{object("HandIK_L")});
        w->key(Qt::Key_H, Qt::AltModifier);
        QVERIFY(view().hidden.empty());
        const Scene before = w->document().scene();
        w->key(Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(w->state->view().state().isolated.count(object("Forearm_L")) == 1);
        QVERIFY(w->document().scene() == before); // nothing to be saved
        w->key(Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(w->state->view().state().isolated.empty());
    }

    void aSelectionSetIsSelectedAgainAndDeletedByItsMenu()
    {
        w->state->selection().select(
            {SelectionItem::of(HandleId{object("FootIK_L")}), SelectionItem::of(JointId{object("Head")})});
        runAndName("edit.keepSet", "Both ends");
        QVERIFY(view().setNamed("Both ends") != nullptr);
        w->state->selection().clear();
        QAction* chosen = entry(opened("Selection sets"), "Both ends");
        QVERIFY(chosen != nullptr);
        chosen->trigger();
        QCOMPARE(w->state->selection().items().size(), std::size_t{2});
        QVERIFY(w->state->selection().containsObject(object("Head")));
        QAction* deletion = entry(opened("Selection sets"), "Delete selection set");
        QVERIFY(deletion != nullptr && deletion->menu() != nullptr);
        deletion->menu()->actions().first()->trigger();
        QVERIFY(view().sets.empty());
        QVERIFY(entry(opened("Selection sets"), "Both ends") == nullptr);
        QVERIFY(w->document().undo());
        QVERIFY(view().setNamed("Both ends") != nullptr);
    }

    void theStripIsSolvedWithoutVisitingItsFrames()
    {
        const Scene& scene = w->document().scene();
        QTRY_VERIFY_WITH_TIMEOUT(w->state->range().isComplete(), 30'000);
        QCOMPARE(w->state->range().frames().size(), static_cast<std::size_t>(scene.lastFrame - scene.firstFrame + 1));
        auto* timeline = w->find<QWidget>("timeline");
        const auto green = [&] { // columns of the strip in the colour of frames whose goals are met
            const QImage image = timeline->grab().toImage();
            const QColor ok = Theme::instance().color("status.ok");
            int columns = 0;
            for (int x = Theme::instance().px(64); x < image.width(); ++x)
                for (int y = image.height() / 2; y < image.height(); ++y)
                    if (image.pixelColor(x, y) == ok) {
                        ++columns;
                        break;
                    }
            return columns;
        };
        const int whole = green();
        QVERIFY2(whole > timeline->width() / 3, qPrintable(QString::number(whole)));
        QVERIFY(
            w->document().apply({{"op", "setGoal"}, {"handle", "HandIK_L"}, {"position", QJsonArray{0.4, 1.1, 0.3}}}));
        QVERIFY(w->document().apply({{"op", "key"}, {"target", "HandIK_L"}}));
        QVERIFY(!w->state->range().isComplete());
        QVERIFY2(green() < whole / 2, qPrintable(QString::number(green()))); // faint until they are solved again
        w->settle();
        QTRY_VERIFY_WITH_TIMEOUT(w->state->range().isComplete(), 30'000);
        QVERIFY(green() > whole / 2);
    }

    void thePlayblastDialogSaysWhatItMakesOrWhyNot()
    {
        PlayblastDialog dialog(*w->window);
        auto* start = dialog.findChild<QPushButton*>("playblast.start");
        auto* file = dialog.findChild<QLineEdit*>("playblast.file");
        auto* format = dialog.findChild<QComboBox*>("playblast.format");
        QTemporaryDir folder;
        file->setText(folder.filePath("walk.####.png"));
        QVERIFY(start->isEnabled());
        file->setText(folder.filePath("walk.png"));
        QVERIFY(!start->isEnabled()); // every frame would replace the one before
        file->setText(folder.filePath("nowhere/walk.####.png"));
        QVERIFY(!start->isEnabled());
        file->setText(folder.filePath("walk.####.png"));
        dialog.findChild<QSpinBox*>("playblast.first")->setValue(20);
        dialog.findChild<QSpinBox*>("playblast.last")->setValue(10);
        QVERIFY(!start->isEnabled());
        dialog.findChild<QSpinBox*>("playblast.last")->setValue(20);
        QVERIFY(start->isEnabled());
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toLocal8Bit()); // ffmpeg is nowhere
        format->setCurrentIndex(1);
        emit format->activated(1);
        QVERIFY(file->text().endsWith("walk.mp4"));
        qputenv("PATH", path);
        QVERIFY(!start->isEnabled());
        bool saysWhy = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            saysWhy = saysWhy || label->text().contains("ffmpeg");
        QVERIFY(saysWhy);
    }
};

TENDON_TEST(TestDisplay)
#include "tst_display.moc"
