#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "core/io/project/ProjectFile.h"

#include <QAbstractButton>
#include <QDialog>
#include <QFile>
#include <QMenu>
#include <QTemporaryDir>
#include <QTimer>

#include <random>

namespace tendon::test {
namespace {

using namespace editor;

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Random mouse events, keys and commands. TENDON_MONKEY_SEED repeats a run,
/// TENDON_MONKEY_SECONDS sets its length.
class Monkey : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    std::mt19937 m_random;

    [[nodiscard]] int below(int count)
    {
        return std::uniform_int_distribution<int>(0, std::max(0, count - 1))(m_random);
    }
    [[nodiscard]] bool chance(double share) { return std::uniform_real_distribution<double>(0, 1)(m_random) < share; }
    [[nodiscard]] QPoint placeIn(const QWidget& widget) { return {below(widget.width()), below(widget.height())}; }
    [[nodiscard]] Qt::KeyboardModifiers held()
    {
        constexpr Qt::KeyboardModifier kHeld[] = {Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                                  Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        return kHeld[below(6)];
    }
    void dragInView();
    void runCommand();
    void clickSomewhere();
    void pressKey();
    /// Closes the dialogs and menus that have opened, one way or the other.
    void leaveDialogs();

private slots:
    void randomInputNeverBreaksTheDocument();
};

void Monkey::dragInView()
{
    // Mostly at an object.
    QPoint from = placeIn(*w->view);
    const FramePtr frame = w->state->frame();
    if (chance(0.7) && frame != nullptr && frame->rig != nullptr && !frame->solved.model.modelFromJoint.empty()) {
        const int joint = below(static_cast<int>(frame->solved.model.modelFromJoint.size()));
        from = w->onScreen(frame->solved.model.modelFromJoint[static_cast<std::size_t>(joint)].translation());
    }
    const Qt::KeyboardModifiers keys = held();
    w->hover(from);
    QTest::mousePress(w->view, Qt::LeftButton, keys, from);
    for (int i = below(5); i > 0; --i) w->moveTo(from + QPoint(below(120) - 60, below(120) - 60), keys);
    if (chance(0.1)) QTest::keyClick(w->view, Qt::Key_Escape);
    QTest::mouseRelease(w->view, Qt::LeftButton, keys, from);
}

void Monkey::runCommand()
{
    const auto& all = w->window->commands().all();
    const QString id = all[static_cast<std::size_t>(below(static_cast<int>(all.size())))]->id;
    // Excludes commands that quit or write files; opens other documents only now and then.
    if (id.startsWith("file.") || (id.startsWith("sample.") && !chance(0.1))) return;
    w->window->commands().run(id);
}

void Monkey::clickSomewhere()
{
    const auto widgets = w->window->findChildren<QWidget*>();
    QWidget* widget = widgets[below(static_cast<int>(widgets.size()))];
    if (!widget->isVisible() || !widget->isEnabled() || widget == w->view) return;
    const QPoint at = placeIn(*widget);
    if (chance(0.3)) {
        QTest::mousePress(widget, Qt::LeftButton, held(), at);
        const QPoint to = at + QPoint(below(80) - 40, below(20) - 10);
        QMouseEvent move(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(widget, &move);
        QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
    } else {
        QTest::mouseClick(widget, chance(0.1) ? Qt::RightButton : Qt::LeftButton, held(), at);
    }
}

void Monkey::pressKey()
{
    constexpr Qt::Key kKeys[] = {Qt::Key_Q,   Qt::Key_W,      Qt::Key_E,     Qt::Key_R,      Qt::Key_S,
                                 Qt::Key_F,   Qt::Key_A,      Qt::Key_Space, Qt::Key_Left,   Qt::Key_Right,
                                 Qt::Key_Up,  Qt::Key_Down,   Qt::Key_Comma, Qt::Key_Period, Qt::Key_Escape,
                                 Qt::Key_Tab, Qt::Key_Return, Qt::Key_1,     Qt::Key_Minus};
    QWidget* focus = w->window->focusWidget();
    const Qt::Key key = kKeys[below(std::size(kKeys))];
    Qt::KeyboardModifiers modifiers = chance(0.7) ? Qt::KeyboardModifiers() : held();
    if (key == Qt::Key_Q) modifiers &= ~Qt::KeyboardModifiers(Qt::ControlModifier); // a monkey does not quit
    QTest::keyClick(focus != nullptr ? focus : w->window.get(), key, modifiers);
    if (chance(0.2))
        QTest::keyClick(w->view, Qt::Key_Z,
                        chance(0.6) ? Qt::KeyboardModifiers(Qt::ControlModifier)
                                    : Qt::ControlModifier | Qt::ShiftModifier);
}

void Monkey::leaveDialogs()
{
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    QWidget* modal = QApplication::activeModalWidget();
    if (modal == nullptr) return;
    const auto buttons = modal->findChildren<QAbstractButton*>();
    for (QAbstractButton* button : buttons)
        if (button->text() == "Discard") return button->click();
    if (auto* dialog = qobject_cast<QDialog*>(modal)) dialog->done(chance(0.5) ? QDialog::Accepted : QDialog::Rejected);
}

void Monkey::randomInputNeverBreaksTheDocument()
{
    const QByteArray given = qgetenv("TENDON_MONKEY_SEED"), lasting = qgetenv("TENDON_MONKEY_SECONDS");
    const unsigned seed = given.isEmpty() ? 1 : given.toUInt();
    const int seconds = lasting.isEmpty() ? 6 : lasting.toInt();
    qInfo("seed %u, %d s: TENDON_MONKEY_SEED and TENDON_MONKEY_SECONDS say otherwise", seed, seconds);
    m_random.seed(seed);
    w = std::make_unique<RealWindow>("mannequin");
    QTimer watch;
    connect(&watch, &QTimer::timeout, this, &Monkey::leaveDialogs);
    watch.start(30);
    bool isReplaced = false; // by another sample, which a session begins anew with
    connect(&w->document(), &EditorDocument::replaced, this, [&] { isReplaced = true; });
    QElapsedTimer clock;
    clock.start();
    int done = 0;
    for (; clock.elapsed() < seconds * 1000; ++done) {
        const int what = below(10);
        if (what < 4)
            dragInView();
        else if (what < 6)
            runCommand();
        else if (what < 8)
            clickSomewhere();
        else
            pressKey();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
        QVERIFY2(w->window->isVisible(), "the window has gone");
    }
    w->document().gesture().end();
    if (w->state->playback().isPlaying()) w->state->togglePlayback();
    const FramePtr frame = w->frame();
    if (frame->rig != nullptr)
        for (const Affine& world : frame->solved.model.modelFromJoint) QVERIFY(world.matrix().allFinite());
    // The resulting document survives saving and loading.
    const QTemporaryDir folder;
    const QString file = folder.filePath("monkey.tendon");
    QVERIFY(w->document().saveAs(file));
    const auto read = readProject(file.toStdString());
    QVERIFY(read.has_value());
    Scene scene = read->scene;
    QVERIFY((scene.model == nullptr) == (w->scene().model == nullptr));
    scene.model = w->scene().model; // scenes compare where it is, not what is in it; its bytes follow
    QVERIFY(scene == w->scene());
    // So do what it did, written down and carried out again.
    if (!isReplaced) QCOMPARE(w->replayedOn("mannequin"), QString());
    const QString again = folder.filePath("again.tendon");
    QVERIFY(writeProject(*read, again.toStdString()));
    QCOMPARE(bytesOf(again), bytesOf(file));
    qInfo("%d things done, %d steps left", done, static_cast<int>(w->document().history().undoCount()));
    while (w->document().undo()) {} // and everything can be undone
    QVERIFY(w->document().history().undoCount() == 0);
}

} // namespace

std::unique_ptr<QObject> makeMonkey() { return std::make_unique<Monkey>(); }

} // namespace tendon::test

#include "Monkey.moc"
