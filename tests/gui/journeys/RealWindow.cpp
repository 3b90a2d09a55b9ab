#include "tests/gui/journeys/RealWindow.h"

#include "app/gui/ViewportBridge.h"
#include "app/widgets/LogPanel.h"
#include "app/widgets/NumberField.h"
#include "core/io/project/ProjectFile.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeWidget>
#include <QUrl>

#include <ctime>

namespace tendon::test {

using namespace editor;

RealWindow::RealWindow(const char* sample, const std::function<void(SolverRegistry&)>& addSolvers)
{
    QApplication::setKeyboardInputInterval(0); // each letter typed to a list is a search of its own
    solvers.scan();
    if (addSolvers) addSolvers(solvers);
    state = std::make_unique<Editor>(solvers);
    view = new viewport::Viewport(*state);
    window = std::make_unique<MainWindow>(*state, portOf(*view, solvers));
    join(*view, *window);
    window->resize(1366, 768);
    const QSignalSpy arrived(view, &viewport::Viewport::cameraArrived);
    window->show();
    if (!QTest::qWaitForWindowExposed(window.get())) qFatal("the window does not show");
    QApplication::setActiveWindow(window.get());
    if (!QTest::qWaitFor([&] { return !arrived.isEmpty(); })) qFatal("a new window does not frame its scene");
    if (sample == nullptr)
        window->begin();
    else if (!document().openSample(sample))
        qFatal("no sample %s", sample);
    settle();
}

RealWindow::~RealWindow() = default;

void RealWindow::settle()
{
    QCoreApplication::processEvents();
    state->finishFrame();
    state->comparison().finish();
    const std::uint64_t newest = state->frame() == nullptr ? 0 : state->frame()->request;
    const auto isSettled = [&] { return view->frameShown() >= newest && !view->isCameraMoving(); };
    QDeadlineTimer deadline(5000);
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    } while (!isSettled() && view->isVisible() && !deadline.hasExpired());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // as exec() does; a test has none
}

FramePtr RealWindow::frame()
{
    settle();
    return state->frame();
}

QPoint RealWindow::onScreen(const Vector3& world) const
{
    const auto at = view->view().project(world).pixel;
    return {qRound(at.x()), qRound(at.y())};
}

JointId RealWindow::joint(const char* name)
{
    const auto found = scene().jointNamed(name);
    if (!found) qFatal("no joint %s", name);
    return *found;
}

HandleId RealWindow::handle(const char* name)
{
    const Handle* found = scene().handleNamed(name);
    if (found == nullptr) qFatal("no handle %s", name);
    return found->id;
}

Affine RealWindow::worldOf(const char* name) { return *frame()->worldFromJoint(joint(name)); }

LocalTransform RealWindow::localOf(const char* name)
{
    const FramePtr now = frame();
    return now->solved.local.joints[static_cast<std::size_t>(now->rig->index(joint(name)))];
}

Vector3 RealWindow::goalOf(const char* name) { return frame()->find(handle(name))->target.goal.position; }

namespace {

void sendMove(QWidget& widget, const QPoint& to, Qt::MouseButtons buttons, Qt::KeyboardModifiers held = {})
{
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, buttons, held);
    QApplication::sendEvent(&widget, &event);
}

} // namespace

void RealWindow::hover(const QPoint& at)
{
    sendMove(*view, at, Qt::NoButton);
    QCoreApplication::processEvents();
}

void RealWindow::moveTo(const QPoint& to, Qt::KeyboardModifiers held)
{
    sendMove(*view, to, Qt::LeftButton, held);
    QCoreApplication::processEvents();
}

void RealWindow::click(const Vector3& world, Qt::KeyboardModifiers held)
{
    hover(onScreen(world));
    QTest::mouseClick(view, Qt::LeftButton, held, onScreen(world));
    settle();
}

void RealWindow::drag(const Vector3& from, const QPoint& by, int steps, Qt::KeyboardModifiers held)
{
    const QPoint begin = onScreen(from);
    hover(begin);
    QTest::mousePress(view, Qt::LeftButton, held, begin);
    for (int i = 1; i <= steps; ++i) {
        sendMove(*view, begin + by * i / steps, Qt::LeftButton, held);
        state->finishFrame();
    }
    QTest::mouseRelease(view, Qt::LeftButton, held, begin + by);
    settle();
}

void RealWindow::dragTo(const Vector3& from, const Vector3& to, int steps)
{
    drag(from, onScreen(to) - onScreen(from), steps);
}

void RealWindow::clickOn(QWidget* widget)
{
    if (!widget->isVisible()) qFatal("%s is not to be seen", qPrintable(widget->objectName()));
    QTest::mouseClick(widget, Qt::LeftButton, {}, widget->rect().center());
    settle();
}

namespace {

QTreeWidgetItem* rowOf(QTreeWidget* tree, const QString& text)
{
    const auto rows = tree->findItems(text, Qt::MatchExactly | Qt::MatchRecursive);
    if (rows.size() != 1) qFatal("%d rows %s", static_cast<int>(rows.size()), qPrintable(text));
    return rows.first();
}

} // namespace

void RealWindow::clickRow(const QString& text, Qt::KeyboardModifiers held)
{
    auto* tree = find<QTreeWidget>("outliner.tree");
    QTreeWidgetItem* row = rowOf(tree, text);
    for (auto* parent = row->parent(); parent != nullptr; parent = parent->parent()) parent->setExpanded(true);
    tree->scrollToItem(row);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, held, tree->visualItemRect(row).center());
    settle();
}

QStringList RealWindow::badgesOf(const QString& text)
{
    return rowOf(find<QTreeWidget>("outliner.tree"), text)->data(0, Qt::UserRole + 2).toStringList();
}

void RealWindow::choose(const QString& name, const QString& text)
{
    const auto box = [&] { return find<QComboBox>(name); }; // a choice may build the panel anew
    const int count = box()->count();
    if (box()->findText(text) < 0) qFatal("%s has no %s", qPrintable(name), qPrintable(text));
    for (int i = 0; i < count && box()->currentText() != text; ++i) {
        box()->setFocus();
        QTest::keyClick(box(), text.at(0).toLatin1());
        settle(); // what is chosen may take time
    }
    if (box()->currentText() == text) return;
    qFatal("%s did not take %s but %s: %s", qPrintable(name), qPrintable(text), qPrintable(box()->currentText()),
           qPrintable(find<QLabel>("status.text")->text()));
}

void RealWindow::type(const QString& name, const QString& text)
{
    auto* field = find<NumberField>(name);
    field->setFocus();
    QTest::keyClicks(field, text.left(1));
    const auto edits = field->findChildren<QLineEdit*>(); // a closed window is deleted in the next event loop
    QLineEdit* edit = edits.isEmpty() ? nullptr : edits.last();
    if (edit == nullptr) qFatal("%s takes no text", qPrintable(name));
    QTest::keyClicks(edit, text.mid(1));
    QTest::keyClick(edit, Qt::Key_Return);
    settle();
}

void RealWindow::tick(const QString& name, bool isOn)
{
    auto* check = find<QCheckBox>(name);
    if (check->isChecked() != isOn) check->click();
    settle();
    QCOMPARE(check->isChecked(), isOn);
}

void RealWindow::dragField(const QString& name, int by, const std::function<void()>& held,
                           Qt::KeyboardModifiers modifiers)
{
    auto* field = find<NumberField>(name);
    for (QWidget* area = field->parentWidget(); area != nullptr; area = area->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(area)) scroll->ensureWidgetVisible(field);
    const QPoint from = field->rect().center();
    QTest::mousePress(field, Qt::LeftButton, modifiers, from);
    for (int i = 1; i <= 8; ++i) {
        sendMove(*field, from + QPoint(by * i / 8, 0), Qt::LeftButton, modifiers);
        state->finishFrame();
    }
    settle();
    if (held) held();
    QTest::mouseRelease(field, Qt::LeftButton, modifiers, from + QPoint(by, 0));
    settle();
}

void RealWindow::key(Qt::Key code, Qt::KeyboardModifiers modifiers)
{
    // Without a window manager nobody makes the window active again after a dialog.
    if (QApplication::activeWindow() != window.get()) QApplication::setActiveWindow(window.get());
    view->setFocus();
    QTest::keyClick(view, code, modifiers);
    settle();
}

void RealWindow::command(const QString& words)
{
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Tab);
    auto* text = find<QLineEdit>("commandSearch.text");
    if (!text->isVisible()) qFatal("Tab does not open the search");
    QTest::keyClicks(text, words);
    QTest::keyClick(text, Qt::Key_Return);
    settle();
}

void RealWindow::answer(const QString& text)
{
    // The dialog has an event loop of its own; retries until it is open.
    auto* timer = new QTimer(window.get());
    QObject::connect(timer, &QTimer::timeout, window.get(), [timer, text] {
        auto* dialog = QApplication::activeModalWidget();
        if (dialog == nullptr) return;
        for (auto* button : dialog->findChildren<QAbstractButton*>()) {
            if (QString(button->text()).remove('&') != text || !button->isVisible()) continue;
            timer->deleteLater();
            timer->stop();
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
    });
    timer->start(20);
}

void RealWindow::reply(const QString& text)
{
    auto* timer = new QTimer(window.get());
    QObject::connect(timer, &QTimer::timeout, window.get(), [timer, text] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        auto* edit = dialog == nullptr ? nullptr : dialog->findChild<QLineEdit*>();
        if (edit == nullptr || !edit->isVisible()) return;
        timer->deleteLater();
        timer->stop();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    });
    timer->start(20);
}

void RealWindow::answerFile(const QString& path)
{
    auto* timer = new QTimer(window.get());
    QObject::connect(timer, &QTimer::timeout, window.get(), [timer, path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || !dialog->isVisible()) return;
        timer->deleteLater();
        timer->stop();
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    timer->start(20);
}

bool RealWindow::drop(const QString& file)
{
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(file)});
    const QPoint middle = window->rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(window.get(), &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent dropped(middle, Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(window.get(), &dropped);
    return true;
}

void RealWindow::openTab(BottomTab tab)
{
    auto* tabs = find<QTabBar>("bottom.tabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(static_cast<int>(tab)).center());
    settle();
}

void RealWindow::stepTo(const QString& words)
{
    const auto* text = find<QLabel>("compare.step.text");
    const StepPlayer& steps = state->steps();
    while (!text->text().contains(words) && steps.step() < steps.last())
        QTest::mouseClick(find<QWidget>("compare.step"), Qt::LeftButton);
    QVERIFY2(text->text().contains(words), qPrintable(words + ": " + text->text()));
    settle();
}

QImage RealWindow::seen()
{
    state->view().edit([](ViewState& shown) { shown.showsHud = false; });
    settle();
    return view->grabImage(view->size());
}

QString RealWindow::replayedOn(const QString& sample)
{
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(name); };
    const auto bytesOf = [](const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QFile script(path("script.json"));
    if (!script.open(QIODevice::WriteOnly) || script.write(find<ScriptPanel>("scriptPanel")->text().toUtf8()) <= 0)
        return "the script panel is empty";
    script.close();
    const EditState& edit = document().edit();
    const Project project{scene(), {edit.currentClip, edit.frame, edit.camera, edit.layer}};
    if (!writeProject(project, path("seen.tendon").toStdString())) return "the document cannot be written";
    for (const QStringList& arguments : {QStringList{"samples", sample, "-o", path("sample.tendon")},
                                         QStringList{"run", path("script.json"), "-p", path("sample.tendon"), "-o",
                                                     path("replayed.tendon"), "--pending", "discard"}}) {
        QProcess tendon;
        tendon.start(QStringLiteral(TENDON_COMMAND), arguments);
        if (!tendon.waitForFinished(60000) || tendon.exitCode() != 0)
            return arguments.first() + ": " + tendon.readAllStandardError();
    }
    const QByteArray seen = bytesOf(path("seen.tendon")), replayed = bytesOf(path("replayed.tendon"));
    if (!seen.isEmpty() && seen == replayed) return {};
    const auto end = std::mismatch(seen.begin(), seen.end(), replayed.begin(), replayed.end());
    const qsizetype at = std::max<qsizetype>(0, end.first - seen.begin() - 200);
    QFile kept(QStringLiteral(TENDON_PICTURES) + "/replayed-differently.json");
    if (kept.open(QIODevice::WriteOnly)) kept.write(find<ScriptPanel>("scriptPanel")->text().toUtf8());
    return QString("%1 bytes and %2 bytes differ: %3 is replayed as %4; the script is %5")
        .arg(seen.size())
        .arg(replayed.size())
        .arg(QString::fromUtf8(seen.mid(at, 400)), QString::fromUtf8(replayed.mid(at, 400)), kept.fileName());
}

void RealWindow::picture(const QString& name)
{
    settle();
    QDir().mkpath(QStringLiteral(TENDON_PICTURES));
    const QString file = QDir(QStringLiteral(TENDON_PICTURES)).filePath(name + ".png");
    if (!window->grab().save(file)) qFatal("%s could not be written", qPrintable(file));
}

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

QByteArray poseHash(const editor::FrameResult& frame)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const Affine& world : frame.solved.model.modelFromJoint)
        hash.addData(QByteArrayView(reinterpret_cast<const char*>(world.matrix().data()),
                                    static_cast<qsizetype>(sizeof(double)) * world.matrix().size()));
    return hash.result();
}

} // namespace tendon::test
