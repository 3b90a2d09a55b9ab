#include "tests/gui/WindowUnderTest.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/ExportDialog.h"
#include "app/widgets/FileFilters.h"
#include "app/widgets/LogPanel.h"
#include "app/widgets/SettingFields.h"
#include "app/widgets/dope/DopeSheet.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/formats/FileFormats.h"
#include "core/io/import/ModelFormat.h"
#include "core/scene/Check.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressDialog>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <atomic>
#include <chrono>
#include <thread>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

class TestPanels : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_profile;

    static void drag(QWidget* field, int pixels, int steps, Qt::KeyboardModifiers modifiers = {})
    {
        const QPoint from(field->width() / 2, field->height() / 2);
        QTest::mousePress(field, Qt::LeftButton, modifiers, from);
        for (int i = 1; i <= steps; ++i) {
            QMouseEvent move(QEvent::MouseMove, from + QPoint(pixels * i / steps, 0),
                             field->mapToGlobal(from + QPoint(pixels * i / steps, 0)), Qt::NoButton, Qt::LeftButton,
                             modifiers);
            QApplication::sendEvent(field, &move);
        }
    }
    static void release(QWidget* field, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseRelease(field, Qt::LeftButton, modifiers);
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void noPresetAssignsAKeyTwice();
    void everyCommandHasHelp();
    void aDraggedNumberIsOneUndoStep();
    void escapeCancelsADraggedNumber();
    void numbersTakeUnitsAndSums_data();
    void numbersTakeUnitsAndSums();
    void aTypedNumberPosesTheGoal();
    void ctrlDraggingALimitPreviewsItAndKeepsTheLimit();
    void tickingTerminatorIsAnOperation();
    void settingsThatASolverDoesNotUseAreGreyed_data();
    void settingsThatASolverDoesNotUseAreGreyed();
    void solverParametersComeFromThePlugin();
    void shortcutsUndoAndPlay();
    void autoKeyShowsARedBorder();
    void scrubbingTheTimelineGoesToFrames();
    void aCommandIsFoundByItsWords();
    void dopeSheetMovesKeysInOneStep();
    void outlinerAndSelectionAgree();
    void commandSearchRunsByKeyboard();
    void closedDocksCanBeShownAgain();
    void lightAndDarkThemesDiffer();
    void closingAsksAboutUnsavedChanges();
    void objectivesHaveSlidersIfTheSolverSupportsThem();
    void theTourDoesNotCoverTheFigure();
    void aControlWithKeyboardFocusHasARing();
    void theOutlinerCanListHandlesOnly();
    void exportsFollowThePreset_data();
    void exportsFollowThePreset();
    void fileDialogsOfferTheFormatsOfTheTable();
    void theExportReportShowsTheReadBack();
    void anExportThatHangsIsLeftAndTheProjectSaved();
};

void TestPanels::noPresetAssignsAKeyTwice()
{
    WindowUnderTest w("arm");
    for (const KeyPreset preset : {KeyPreset::Maya, KeyPreset::Blender, KeyPreset::Max}) {
        const QStringList conflicts = w.window->commands().conflicts(preset);
        QVERIFY2(conflicts.isEmpty(), qPrintable(conflicts.join('\n')));
    }
}

void TestPanels::everyCommandHasHelp()
{
    WindowUnderTest w("arm");
    QVERIFY(w.window->commands().all().size() > 80);
    for (const auto& command : w.window->commands().all()) {
        QVERIFY2(!command->tip.isEmpty() && !command->text.isEmpty(), qPrintable(command->id));
        QVERIFY2(static_cast<bool>(command->run), qPrintable(command->id));
    }
}

void TestPanels::aDraggedNumberIsOneUndoStep()
{
    WindowUnderTest w("leg");
    const Handle handle = w.document().scene().handles->front();
    w.select(handle.name.c_str());
    const Scene start = w.document().scene();
    auto* field = w.find<NumberField>("goal.x");
    const double before = field->value();
    drag(field, 30, 15);
    w.settle();
    QVERIFY(!(w.document().scene() == start)); // it follows while it is dragged
    release(field);
    w.settle();
    QCOMPARE(w.document().history().undoCount(), std::size_t(1));
    QVERIFY(std::abs(field->value() - before - 3.0) < 0.11); // 1 px = 0.1 cm
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == start);
    QVERIFY(std::abs(field->value() - before) < 1e-9);
}

void TestPanels::escapeCancelsADraggedNumber()
{
    WindowUnderTest w("leg");
    const Handle handle = w.document().scene().handles->front();
    w.select(handle.name.c_str());
    const Scene start = w.document().scene();
    auto* field = w.find<NumberField>("goal.y");
    drag(field, 40, 10);
    QVERIFY(!(w.document().scene() == start));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(w.document().scene() == start);
    QCOMPARE(w.document().history().undoCount(), std::size_t(0));
    release(field);
    QVERIFY(w.document().scene() == start);
}

void TestPanels::numbersTakeUnitsAndSums_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("plain") << "24" << 24.0;
    QTest::newRow("comma") << "2,5" << 2.5;
    QTest::newRow("metres into cm") << "0.3m" << 30.0;
    QTest::newRow("millimetres") << "15 mm" << 1.5;
    QTest::newRow("sum") << "24+3" << 27.0;
    QTest::newRow("difference") << "24-3" << 21.0;
    QTest::newRow("times") << "*2" << 20.0;
    QTest::newRow("negative") << "-4" << -4.0;
    QTest::newRow("percent") << "50%" << 0.5;
}

void TestPanels::numbersTakeUnitsAndSums()
{
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto read = NumberField::parse(text, 10, "cm");
    QVERIFY(read);
    QVERIFY2(std::abs(*read - value) < 1e-12, qPrintable(QString::number(*read)));
    QVERIFY(!NumberField::parse("four", 10, "cm"));
    QVERIFY(!NumberField::parse("1/0", 10, "cm"));
    QVERIFY(!NumberField::parse("", 10, "cm"));
}

void TestPanels::aTypedNumberPosesTheGoal()
{
    WindowUnderTest w("leg");
    const Handle handle = w.document().scene().handles->front();
    w.select(handle.name.c_str());
    auto* field = w.find<NumberField>("goal.z");
    field->setFocus();
    QTest::keyClicks(field, "1");
    auto* edit = field->findChild<QLineEdit*>();
    QVERIFY(edit != nullptr);
    QTest::keyClicks(edit, "2.5");
    QTest::keyClick(edit, Qt::Key_Return);
    w.settle();
    const ChannelValue goal = w.document().scene().staticValue({handle.id.value, Property::GoalPosition});
    QVERIFY2(std::abs(goal[2] - 0.125) < 1e-12, qPrintable(QString::number(goal[2])));
    QCOMPARE(w.document().history().undoCount(), std::size_t(1));
}

void TestPanels::ctrlDraggingALimitPreviewsItAndKeepsTheLimit()
{
    WindowUnderTest w("telescope");
    const Joint joint = w.document().scene().joints->back();
    w.select(joint.name.c_str());
    QVERIFY(w.document().apply({{"op", "autoKey"}, {"on", true}}));
    w.settle();
    const Scene start = w.document().scene();
    const Vector3 before = w.state->finishFrame()->worldFromJoint(joint.id)->translation();
    auto* field = w.find<NumberField>("joint.slide.z.to");
    drag(field, 50, 10, Qt::ControlModifier);
    w.settle();
    const Vector3 during = w.state->frame()->worldFromJoint(joint.id)->translation();
    QVERIFY((during - before).norm() > 0.01); // it moves while the mouse is down
    release(field, Qt::ControlModifier);
    w.settle();
    const AxisFreedom& slide = w.document().scene().joints->back().sliding[2];
    QVERIFY(slide.limited && slide.to > 0.01 &&
            std::abs(field->value() - 100 * slide.to) < 1e-9); // what was found stays
    QVERIFY((w.state->frame()->worldFromJoint(joint.id)->translation() - before).norm() < 1e-12);
    QVERIFY(w.document().scene().clips == start.clips && w.document().scene().statics == start.statics); // no key
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == start); // one step
}

void TestPanels::tickingTerminatorIsAnOperation()
{
    WindowUnderTest w("lamp");
    w.select("Hinge01");
    auto* box = w.find<QCheckBox>("joint.terminator");
    QVERIFY(!box->isChecked());
    box->click();
    w.settle();
    QVERIFY(w.document().scene().find(*w.document().scene().jointNamed("Hinge01"))->isTerminator);
    const QString script = w.find<QPlainTextEdit>("script")->toPlainText();
    QVERIFY2(script.contains(R"("op": "setTerminator")") || script.contains(R"("op":"setTerminator")"),
             qPrintable(script));
    // The Edit menu names the step.
    const QAction* undo = w.window->commands().action("edit.undo");
    const QString step = QString::fromStdString(w.document().history().undoText());
    QVERIFY(!step.isEmpty());
    QCOMPARE(undo->text(), "Undo " + step);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!box->isChecked());
    QVERIFY(undo->text() != "Undo " + step);
    QCOMPARE(w.window->commands().action("edit.redo")->text(), "Redo " + step);
}

void TestPanels::settingsThatASolverDoesNotUseAreGreyed_data()
{
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"dls", "two-bone", "fabrik", "single-chain"}) QTest::newRow(solver) << solver;
}

void TestPanels::settingsThatASolverDoesNotUseAreGreyed()
{
    QFETCH(QString, solver);
    WindowUnderTest w("arm");
    const Handle handle = w.document().scene().handles->front();
    const QString name = QString::fromStdString(handle.name);
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", name}, {"pole", QJsonValue::Null}, {"solver", solver}}));
    w.select(handle.name.c_str());
    const SolverInfo* info = w.solvers.find(solver.toStdString());
    QVERIFY(info != nullptr);
    const std::pair<const char*, Setting> fields[] = {{"handle.pole", Setting::Pole},
                                                      {"channel.twist", Setting::Twist},
                                                      {"handle.orientationWeight", Setting::OrientationWeight},
                                                      {"handle.soft", Setting::Soft},
                                                      {"handle.stretch", Setting::Stretch},
                                                      {"handle.unreachable", Setting::Unreachable},
                                                      {"handle.aimAxis", Setting::Aim},
                                                      {"handle.squash", Setting::Squash},
                                                      {"handle.stick", Setting::Stick},
                                                      {"handle.maxIterations", Setting::MaxIterations},
                                                      {"joint.stiffness", Setting::Stiffness},
                                                      {"joint.slide.z.ease", Setting::Ease},
                                                      {"joint.slide.x.damping", Setting::Damping},
                                                      {"joint.precedence", Setting::Precedence},
                                                      {"joint.slide.y.springBack", Setting::SpringBack},
                                                      {"joint.slide.z.springTension", Setting::SpringTension}};
    QStringList hints;
    for (const QLabel* hint : w.window->findChildren<QLabel*>("settings.unused"))
        if (hint->isVisible()) hints << hint->text();
    int greyed = 0;
    for (const auto& [field, setting] : fields) {
        const auto* widget = w.find<QWidget>(field);
        QVERIFY2(widget->isEnabled() == isUsed(setting, *info), field);
        const QString why = SettingFields::reason(setting, std::span(&info, 1), w.solvers);
        QCOMPARE(why.isEmpty(), isUsed(setting, *info));
        QVERIFY2(widget->toolTip().endsWith(why), qPrintable(widget->toolTip()));
        QCOMPARE(widget->isHidden(), setting == Setting::Pole && !why.isEmpty()); // a single chain shows no pole
        if (widget->isHidden()) continue;
        QVERIFY2(hints.join('\n').contains(why), qPrintable(hints.join('\n')));
        greyed += why.isEmpty() ? 0 : 1;
    }
    QVERIFY(greyed >= 2); // springs at least
}

void TestPanels::solverParametersComeFromThePlugin()
{
    WindowUnderTest w("mannequin");
    const Handle handle = w.document().scene().handles->front();
    w.select(handle.name.c_str());
    const SolverInfo* info = w.solvers.find(handle.solver);
    QVERIFY(info != nullptr && !info->parameters.empty());
    for (const SolverParameter& parameter : info->parameters)
        QVERIFY2(w.window->findChild<QWidget*>("solver." + QString::fromStdString(parameter.id)) != nullptr,
                 parameter.id.c_str());
    // Another solver has other parameters.
    auto* solver = w.find<QComboBox>("handle.solver");
    const QString other = solver->itemData(solver->currentIndex() == 0 ? 1 : 0).toString();
    QVERIFY(
        w.document().apply({{"op", "setHandle"}, {"name", QString::fromStdString(handle.name)}, {"solver", other}}));
    w.settle();
    for (const SolverParameter& parameter : w.solvers.find(other.toStdString())->parameters)
        QVERIFY2(w.window->findChild<QWidget*>("solver." + QString::fromStdString(parameter.id)) != nullptr,
                 parameter.id.c_str());

    // What does not count in a mode is greyed in it.
    for (const char* mode : {"adaptive", "plain"}) {
        QVERIFY(w.document().apply({{"op", "setHandle"},
                                    {"name", QString::fromStdString(handle.name)},
                                    {"solver", "dls"},
                                    {"parameters", QJsonObject{{"mode", mode}}}}));
        w.settle();
        const bool isPlain = mode == std::string("plain");
        for (const char* field : {"solver.reg_weight", "solver.relax", "solver.chart"})
            QCOMPARE(w.find<QWidget>(field)->isEnabled(), isPlain);
        QCOMPARE(w.find<QWidget>("solver.choice")->isEnabled(), !isPlain);
        QCOMPARE(w.find<QWidget>("solver.relax")->toolTip().contains("without effect"), !isPlain);
    }
}

void TestPanels::shortcutsUndoAndPlay()
{
    WindowUnderTest w("mannequin");
    w.window->viewport().widget->setFocus();
    w.key(Qt::Key_Space);
    QVERIFY(w.state->playback().isPlaying());
    QTRY_VERIFY(w.state->shownFrame() > 1);
    w.key(Qt::Key_Space);
    QVERIFY(!w.state->playback().isPlaying());
    const int frame = w.document().edit().frame;
    w.key(Qt::Key_Right);
    QCOMPARE(w.document().edit().frame, frame == w.document().scene().lastFrame ? frame : frame + 1);
    // S keys the selection, and what else is posed but not keyed: a joint that is dragged poses its handle.
    w.select("Shin_L");
    w.window->viewport().widget->setFocus();
    w.state->goToFrame(3);
    QVERIFY(w.document().apply({{"op", "drag"}, {"joint", "Foot_L"}, {"by", QJsonArray{0, 0.02, 0}}}));
    QTRY_VERIFY(!w.document().edit().pending.empty()); // a drag that takes long goes on in another thread
    w.key(Qt::Key_S);
    QVERIFY(w.document().edit().pending.empty());
    const Scene& scene = w.document().scene();
    const Time here = scene.fps.timeOf(3);
    for (const ObjectId object : {scene.handleNamed("FootIK_L")->id.value, scene.jointNamed("Shin_L")->value})
        QVERIFY(std::any_of(w.document().clip()->channels.begin(), w.document().clip()->channels.end(),
                            [&](const auto& keys) { return keys.first.target == object && keys.second->at(here); }));
    w.key(Qt::Key_F);
    QVERIFY(w.framedSelected > 0);
}

void TestPanels::autoKeyShowsARedBorder()
{
    WindowUnderTest w("leg");
    const auto corner = [&] { return w.find<QWidget>("viewportFrame")->grab().toImage().pixelColor(1, 1); };
    QVERIFY(corner() != Theme::instance().color("time.record"));
    QTest::mouseClick(w.find<QPushButton>("autoKey"), Qt::LeftButton);
    w.settle();
    QVERIFY(w.document().edit().isAutoKeyOn);
    QCOMPARE(corner(), Theme::instance().color("time.record"));
    QVERIFY(w.find<QPushButton>("autoKey")->isChecked());
}

void TestPanels::scrubbingTheTimelineGoesToFrames()
{
    WindowUnderTest w("mannequin");
    auto* timeline = w.find<QWidget>("timeline");
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(timeline->width() / 2, 10));
    w.settle();
    const int middle = w.document().edit().frame;
    const Scene& scene = w.document().scene();
    QVERIFY(middle > scene.firstFrame + 2 && middle < scene.lastFrame - 2);
    QCOMPARE(w.state->frame()->frame, middle);
    QCOMPARE(w.find<NumberField>("frame")->value(), double(middle));
}

/// As `tendon-editor --do` does.
void TestPanels::aCommandIsFoundByItsWords()
{
    WindowUnderTest w("arm");
    const CommandTable& commands = w.window->commands();
    QCOMPARE(commands.named("Handles"), QStringList{"view.handles"});
    QCOMPARE(commands.named("dope sheet"), QStringList{"window.dope"});
    QCOMPARE(commands.named("view.handles"), QStringList{"view.handles"});
    QCOMPARE(commands.named("guess limits").size(), 1); // the dots behind it say that it asks
    QVERIFY(commands.named("no such command").isEmpty());
}

void TestPanels::dopeSheetMovesKeysInOneStep()
{
    WindowUnderTest w("arm");
    for (const Joint& joint : w.document().scene().joints->toVector())
        for (const int frame : {1, 20})
            QVERIFY(
                w.document().apply({{"op", "key"}, {"target", QString::fromStdString(joint.name)}, {"frame", frame}}));
    QTest::mouseClick(w.find<QTabBar>("bottom.tabs"), Qt::LeftButton, {},
                      w.find<QTabBar>("bottom.tabs")->tabRect(1).center());
    w.settle();
    auto* sheet = w.find<DopeSheet>("dopeSheet");
    const Scene before = w.document().scene();
    // The summary row's key at 20 stands for all keys there; move it by 10 frames.
    const QPoint from = sheet->placeOf(0, 20), to = sheet->placeOf(0, 30);
    QTest::mousePress(sheet, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, sheet->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(sheet, &move);
    QTest::mouseRelease(sheet, Qt::LeftButton, {}, to);
    w.settle();
    for (const auto& [channel, keys] : w.document().clip()->channels) {
        QCOMPARE(keys->size(), std::size_t(2));
        QCOMPARE(w.document().scene().fps.frameAt((*keys)[1].time), 30.0);
    }
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.document().scene() == before); // all of them at once
}

void TestPanels::outlinerAndSelectionAgree()
{
    WindowUnderTest w("lamp");
    auto* tree = w.find<QTreeWidget>("outliner.tree");
    const auto found = tree->findItems("Lever02", Qt::MatchExactly | Qt::MatchRecursive);
    QCOMPARE(found.size(), 1);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(found.first()).center());
    w.settle();
    QCOMPARE(QString::fromStdString(nameOf(w.document().scene(), w.state->selection().active().object)),
             QString("Lever02"));
    QCOMPARE(w.find<QLabel>("inspector.title")->text(), QString("Lever02"));
    w.select("Hinge01");
    QCOMPARE(tree->selectedItems().size(), 1);
    QCOMPARE(tree->selectedItems().first()->text(0), QString("Hinge01"));
    // A double click renames: what is typed takes the place of the old name.
    const QPoint place = tree->visualItemRect(found.first()).center();
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, place);
    auto* name = tree->viewport()->findChild<QLineEdit*>();
    QVERIFY(name != nullptr);
    QCOMPARE(name->selectedText(), QString("Lever02"));
    QTest::keyClicks(name, "Arm");
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_VERIFY(w.document().scene().jointNamed("Arm").has_value());
}

void TestPanels::commandSearchRunsByKeyboard()
{
    WindowUnderTest w("arm");
    w.window->viewport().widget->setFocus();
    w.key(Qt::Key_F3);
    auto* text = w.find<QLineEdit>("commandSearch.text");
    QVERIFY(text->isVisible());
    auto* list = w.window->findChild<QTreeWidget*>();
    for (auto* each : w.window->findChildren<QTreeWidget*>())
        if (each->parentWidget() == text->parentWidget()) list = each;
    for (int i = 0; i < list->topLevelItemCount(); ++i) { // the menu beside it gives way
        const QString name = list->topLevelItem(i)->text(0);
        QVERIFY2(list->columnWidth(0) > list->fontMetrics().horizontalAdvance(name) + list->iconSize().width(),
                 qPrintable(name));
    }
    QTest::keyClicks(text, "grid");
    const bool before = w.state->view().state().showsGrid;
    QTest::keyClick(text, Qt::Key_Return);
    w.settle();
    QCOMPARE(w.state->view().state().showsGrid, !before);
    QVERIFY(!text->isVisible());
    // A menu with a command's words is that command, before those whose tips have these words.
    w.key(Qt::Key_F3);
    QTest::keyClicks(text, "create joint");
    const std::size_t joints = w.document().scene().joints->size();
    QTest::keyClick(text, Qt::Key_Return);
    w.settle();
    QCOMPARE(w.document().scene().joints->size(), joints + 1);
    // The whole name comes before names that begin with it, and these before names that have it inside.
    const auto found = [&](const char* words) {
        w.key(Qt::Key_F3);
        QTest::keyClicks(text, words);
        QStringList names;
        for (int i = 0; i < list->topLevelItemCount(); ++i) names << list->topLevelItem(i)->text(0);
        return names;
    };
    QStringList names = found("key");
    QCOMPARE(names.value(0), QString("Key"));
    QVERIFY(names.indexOf("Key translation") > 0);
    const auto inside = std::find_if(names.begin(), names.end(),
                                     [](const QString& each) { return !each.startsWith("Key", Qt::CaseInsensitive); });
    QVERIFY(inside != names.end());
    QVERIFY(std::none_of(inside, names.end(),
                         [](const QString& each) { return each.startsWith("Key", Qt::CaseInsensitive); }));
    w.select(w.document().scene().joints->front().name.c_str());
    names = found("Key");
    const auto keyCount = [&] { return w.document().clip() == nullptr ? 0 : w.document().clip()->keyCount(); };
    const std::size_t keys = keyCount();
    QTest::keyClick(text, Qt::Key_Return);
    w.settle();
    QVERIFY(keyCount() > keys);
    QCOMPARE(found("save as").value(0), QString("Save as…")); // what opens a window is named without the dots, too
    QTest::keyClick(text, Qt::Key_Escape);
}

void TestPanels::closedDocksCanBeShownAgain()
{
    WindowUnderTest w("arm");
    auto* outliner = w.find<QDockWidget>("dock.outliner");
    outliner->close();
    QVERIFY(!outliner->isVisible());
    w.window->commands().run("window.reset");
    QVERIFY(outliner->isVisible());
}

void TestPanels::lightAndDarkThemesDiffer()
{
    WindowUnderTest w("arm");
    w.select("Shoulder");
    const auto icon = [&] { return w.find<QLabel>("inspector.icon")->pixmap().toImage(); };
    const QImage darkIcon = icon();
    QVERIFY(!darkIcon.isNull());
    const QColor dark = w.window->palette().color(QPalette::Window);
    w.window->commands().run("window.light");
    w.settle();
    QVERIFY(w.window->palette().color(QPalette::Window).lightness() > dark.lightness() + 100);
    QVERIFY(icon() != darkIcon); // or it would be white on white
    w.window->commands().run("window.dark");
    w.settle();
    QCOMPARE(w.window->palette().color(QPalette::Window), dark);
}

void TestPanels::closingAsksAboutUnsavedChanges()
{
    WindowUnderTest w("arm");
    QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "extra"}}));
    int asked = 0;
    const auto answer = [&](const QString& text) {
        QTimer::singleShot(50, w.window.get(), [&asked, text] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr) return;
            ++asked;
            for (QAbstractButton* button : box->buttons())
                if (button->text() == text) QTest::mouseClick(button, Qt::LeftButton);
        });
    };
    answer("Cancel");
    QVERIFY(!w.window->close());
    QCOMPARE(asked, 1);
    answer("Discard");
    QVERIFY(w.window->close());
    QCOMPARE(asked, 2);
}

void TestPanels::objectivesHaveSlidersIfTheSolverSupportsThem()
{
    WindowUnderTest w("arm");
    const Handle handle = w.document().scene().handles->front();
    const QString name = QString::fromStdString(handle.name);
    int knowing = 0;
    for (const SolverInfo& info : w.solvers.solvers()) {
        if (!w.document().apply({{"op", "setHandle"}, {"name", name}, {"solver", QString::fromStdString(info.alias)}}))
            continue; // does not fit this handle
        w.select(handle.name.c_str());
        for (const char* id : {"restPose", "naturalPose", "velocity", "power"}) {
            auto* field = w.window->findChild<NumberField*>(QString("solver.objective.%1").arg(id));
            QCOMPARE(field != nullptr, info.has("objectives"));
            if (field == nullptr) continue;
            ++knowing;
            field->setFocus();
            QTest::keyClicks(field, "2");
            QTest::keyClick(field->findChild<QLineEdit*>(), Qt::Key_Return);
            w.settle();
        }
        if (!info.has("objectives")) continue;
        const Objectives now = w.document().scene().find(handle.id)->objectives;
        QVERIFY(now == (Objectives{.restPose = 2, .naturalPose = 2, .velocity = 2, .power = 2}));
        QVERIFY(w.document().apply(
            {{"op", "setHandle"},
             {"name", name},
             {"objectives", QJsonObject{{"restPose", 0}, {"naturalPose", 0}, {"velocity", 0}, {"power", 0}}}}));
    }
    if (knowing == 0) QSKIP("no solver of this build knows objectives");
}

void TestPanels::theTourDoesNotCoverTheFigure()
{
    WindowUnderTest w("mannequin");
    for (const QSize size : {QSize(1366, 768), QSize(1600, 1000), QSize(2560, 1440)}) {
        w.window->resize(size);
        w.settle();
        w.window->showTour();
        w.settle();
        auto* tour = w.find<QWidget>("tour");
        const QRect card(tour->mapTo(w.window.get(), QPoint()), tour->size());
        auto* view = w.find<QWidget>("viewportFrame");
        const QRect drawn(view->mapTo(w.window.get(), QPoint()), view->size());
        // The figure is in the middle. With its arms spread it would be two thirds as wide as the view is tall.
        QVERIFY2(card.right() < drawn.center().x() - drawn.height() / 5,
                 qPrintable(QString("%1 of %2").arg(card.right()).arg(drawn.center().x())));
        QVERIFY(w.window->rect().contains(card));
        // All five steps fit their card.
        for (int step = 0; step < 5; ++step) {
            for (auto* label : tour->findChildren<QLabel*>())
                if (label->isVisible())
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                             qPrintable(QString("%1: %2 of %3")
                                            .arg(label->text())
                                            .arg(label->height())
                                            .arg(label->heightForWidth(label->width()))));
            for (auto* button : tour->findChildren<QAbstractButton*>())
                if (button->isVisible())
                    QVERIFY2(button->height() >= button->sizeHint().height() &&
                                 tour->rect().contains(
                                     button->geometry().translated(button->parentWidget()->mapTo(tour, QPoint()))),
                             qPrintable(button->text()));
            if (step < 4) w.find<QPushButton>("tour.next")->click();
            w.settle();
        }
    }
}

void TestPanels::aControlWithKeyboardFocusHasARing()
{
    WindowUnderTest w("arm");
    auto* button = w.find<QToolButton>("button.view.rotate");
    const auto ring = [&]() -> QWidget* {
        for (QWidget* frame : w.window->findChildren<QWidget*>("focusRing"))
            if (frame->isVisible()) return frame;
        return nullptr;
    };
    button->setFocus(Qt::MouseFocusReason);
    QVERIFY(ring() == nullptr);
    w.find<QToolButton>("button.view.move")->setFocus(Qt::MouseFocusReason);
    button->setFocus(Qt::TabFocusReason);
    QVERIFY(ring() != nullptr);
    const QRect around(ring()->mapTo(w.window.get(), QPoint()), ring()->size());
    QVERIFY(around.contains(QRect(button->mapTo(w.window.get(), QPoint()), button->size())));
    button->clearFocus();
    QVERIFY(ring() == nullptr);
}

void TestPanels::theOutlinerCanListHandlesOnly()
{
    WindowUnderTest w("mannequin");
    auto* tree = w.find<QTreeWidget>("outliner.tree");
    const auto shown = [&] {
        int count = 0;
        for (QTreeWidgetItemIterator i(tree, QTreeWidgetItemIterator::NotHidden); *i != nullptr; ++i)
            count += (*i)->parent() == nullptr || !(*i)->parent()->isHidden();
        return count;
    };
    const int before = shown();
    auto* only = w.find<QToolButton>("outliner.onlyHandles");
    QTest::mouseClick(only, Qt::LeftButton);
    int tops = 0;
    for (int i = 0; i < tree->topLevelItemCount(); ++i) tops += tree->topLevelItem(i)->isHidden() ? 0 : 1;
    QCOMPARE(tops, 1);
    QTest::mouseClick(only, Qt::LeftButton);
    QCOMPARE(shown(), before);
}

void TestPanels::exportsFollowThePreset_data()
{
    QTest::addColumn<QString>("preset");
    QTest::newRow("none") << "";
    for (const ExportPreset& preset : exportPresets())
        QTest::newRow(std::string(preset.name).c_str())
            << QString::fromUtf8(preset.name.data(), qsizetype(preset.name.size()));
}

void TestPanels::exportsFollowThePreset()
{
    QFETCH(QString, preset);
    WindowUnderTest w("mannequin");
    QVERIFY(w.document().apply({{"op", "setRange"}, {"from", 1}, {"to", 100}})); // with room after the last key
    const Scene& scene = w.document().scene();
    const QString file = m_profile.filePath("walk");
    ExportDialog dialog(file, scene, scene.clips.front()->id, w.window.get());
    dialog.show();
    const auto part = [&](const char* name) { return dialog.findChild<QWidget*>(name); };
    QTest::mouseClick(part(qPrintable("export.preset." + (preset.isEmpty() ? "none" : preset))), Qt::LeftButton);
    const ExportPreset* known = findExportPreset(preset.toStdString());
    const std::string suffix(known == nullptr ? kNoPreset.format : known->format);
    QJsonObject operation = dialog.operation();
    QCOMPARE(operation.value("preset").toString(), preset);
    QCOMPARE(operation.value("file").toString(), file + '.' + QString::fromStdString(suffix));
    QCOMPARE(operation.value("clip").toString(), QString::fromStdString(scene.clips.front()->name));
    QVERIFY(!operation.contains("range"));
    QCOMPARE(qobject_cast<NumberField*>(part("export.to"))->text(), QString("49")); // the last key, not the range's end
    // The dialog's choices are the operation that is carried out.
    qobject_cast<QComboBox*>(part("export.frames"))->setCurrentIndex(1);
    qobject_cast<NumberField*>(part("export.to"))->setValue(3);
    operation = dialog.operation();
    QCOMPARE(operation.value("range").toArray(), (QJsonArray{double(scene.firstFrame), 3.0}));
    if (preset == "unreal") { // let one of them finish
        QVERIFY(w.document().apply(operation));
        QVERIFY(QFile::exists(operation.value("file").toString()));
        QCOMPARE(qobject_cast<QPushButton*>(part("export.accept"))->text(), QString("Export"));
        qobject_cast<QLineEdit*>(part("export.file"))->setText({});
        qobject_cast<QLineEdit*>(part("export.file"))->setText(operation.value("file").toString());
        QCOMPARE(qobject_cast<QPushButton*>(part("export.accept"))->text(),
                 QString("Replace")); // refused before the export starts
    }
    qobject_cast<QLineEdit*>(part("export.file"))->setText(file + ".docx");
    QVERIFY(!part("export.accept")->isEnabled());
}

void TestPanels::fileDialogsOfferTheFormatsOfTheTable()
{
    for (const FileFormat& format : fileFormats()) {
        const QString pattern = "*." + QString::fromStdString(std::string(format.suffix));
        QVERIFY(modelFilters().contains(pattern + ')'));
        QCOMPARE(exportFilters().contains(pattern + ')'), findExporter(format.suffix) != nullptr);
        // A format is recognised by its suffix if the content does not identify it.
        const ModelFormat read = recogniseFormat("a." + std::string(format.suffix), {});
        QVERIFY(read != ModelFormat::Unknown && read != ModelFormat::Other);
    }
    for (const Exporter& exporter : exporters()) {
        QVERIFY(exportFilters().contains("*." + QString::fromStdString(std::string(exporter.suffix)) + ')'));
        QVERIFY(exporterFor(Scene(), "/tmp/a." + std::string(exporter.suffix)).has_value());
    }
}

void TestPanels::theExportReportShowsTheReadBack()
{
    WindowUnderTest w("mannequin");
    const int frames = w.document().scene().lastFrame - w.document().scene().firstFrame + 1;
    // A goal is far out of reach at one frame: the file is correct, and the report names the missed goal.
    w.state->goToFrame(20);
    QVERIFY(w.document().apply({{"op", "setGoal"}, {"handle", "HandIK_R"}, {"position", QJsonArray{-3.0, 0.0, 0.0}}}));
    QVERIFY(w.document().apply({{"op", "key"}, {"target", "HandIK_R"}}));
    w.state->goToFrame(1);
    QSignalSpy exported(&w.window->files(), &FileActions::exported);
    w.window->files().exportTo(m_profile.filePath("report.glb"), false);
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 30000);
    QVERIFY(exported.first().first().toBool());
    auto* report = w.find<QDialog>("exportReport");
    auto* checks = w.find<QTreeWidget>("report.checks");
    QStringList rows;
    for (int i = 0; i < checks->topLevelItemCount(); ++i) rows << checks->topLevelItem(i)->text(0);
    QVERIFY2(rows.contains("Largest joint error") && rows.contains("Largest rotation error") &&
                 rows.contains("Goals met when solved"),
             qPrintable(rows.join(", ")));
    QVERIFY(w.find<QWidget>("report.graph")->accessibleName().contains("mm") ||
            w.find<QWidget>("report.graph")->accessibleName().contains("µm"));
    const auto labels = report->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->text().contains(QString("%1 samples").arg(frames));
    }));
    const QTreeWidgetItem* goals = checks->findItems("Goals met when solved", Qt::MatchExactly).value(0);
    QVERIFY(goals->text(1) != goals->text(2));
    QVERIFY2(goals->text(3).contains(" short: HandIK_R, frame "), qPrintable(goals->text(3)));
    if (qEnvironmentVariableIsSet("TENDON_PICTURES"))
        report->grab().save(qEnvironmentVariable("TENDON_PICTURES") + "/export-report.png");
    w.find<QPushButton>("report.go")->click();
    QCOMPARE(w.state->shownFrame(), 20);
}

/// A solver that does not respond to Cancel keeps its export's thread, and nothing else.
void TestPanels::anExportThatHangsIsLeftAndTheProjectSaved()
{
    const auto hangs = std::make_shared<std::atomic<bool>>(false);
    const auto release = qScopeGuard([&hangs] { *hangs = false; });
    WindowUnderTest w("leg");
    test::addScripted(w.solvers, "hangs", [hangs](const sdk::Model&, const sdk::Problem&, sdk::Solution&) {
        while (*hangs) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return sdk::Status::Converged;
    });
    QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "hangs"}}));
    QVERIFY(w.document().saveAs(m_profile.filePath("leg.tendon")));
    QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "unsaved"}}));
    w.settle();
    *hangs = true;
    QSignalSpy exported(&w.window->files(), &FileActions::exported);
    const QString file = m_profile.filePath("hung.glb");
    w.window->files().exportTo(file, false);
    QTRY_VERIFY(w.window->findChild<QProgressDialog*>("progress") != nullptr);
    w.find<QProgressDialog>("progress")->findChild<QPushButton*>()->click();
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 20000);
    QVERIFY(!exported.first().first().toBool());
    QVERIFY(!QFile::exists(file));
    QVERIFY(w.window->files().save());
    QVERIFY(!w.document().isModified());
}

TENDON_TEST(TestPanels)
#include "tst_panels.moc"
