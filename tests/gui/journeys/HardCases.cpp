#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"
#include "tests/support/ScriptedSolver.h"

#include <QAbstractButton>
#include <QJsonArray>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <thread>

namespace tendon::test {
namespace {

using namespace editor;

/// Journey 10, steps 4 to 7: what must still work when something fails.
class HardCasesJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QTemporaryDir m_folder;
    std::atomic<bool> m_released = false; ///< lets the hanging solver's thread finish

    void write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    [[nodiscard]] bool isFinite()
    {
        for (const Affine& world : w->frame()->solved.model.modelFromJoint)
            if (!world.matrix().allFinite()) return false;
        return true;
    }
    [[nodiscard]] QString said()
    {
        w->settle();
        auto* text = w->find<QLabel>("status.text");
        return text->isVisible() ? text->text() : QString();
    }

private slots:
    void degenerateGoalsAndBonesGiveFinitePoses();
    void invalidNumbersAreRefused();
    void aBrokenModelIsRefusedWithAReason();
    void aSolverThatHangsIsDisabledAndNamed();
    void aSolverThatReturnsNaNIsNamed();
    void unsavedWorkOfAKilledWindowIsOfferedAndRestored();
    void theCommandLineBakesTheSameBytes();
};

void HardCasesJourney::degenerateGoalsAndBonesGiveFinitePoses()
{
    w = std::make_unique<RealWindow>("leg");
    // The goal at the root.
    const Vector3 hip = w->worldOf("Thigh").translation();
    QVERIFY(w->document().apply(
        {{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{hip.x(), hip.y(), hip.z()}}}));
    QVERIFY(isFinite());
    QVERIFY2(said().contains("FootGoal"), qPrintable(said()));
    w->key(Qt::Key_Z, Qt::ControlModifier);
    // A bone without length, joints at one position, and a handle over both.
    w->clickRow("Foot");
    QVERIFY(w->document().apply(
        {{"op", "addJoint"}, {"name", "zero"}, {"parent", "Foot"}, {"translation", QJsonArray{0, 0, 0}}}));
    QVERIFY(w->document().apply(
        {{"op", "addJoint"}, {"name", "tip"}, {"parent", "zero"}, {"translation", QJsonArray{0, -0.1, 0}}}));
    for (const char* solver : {"dls", "fabrik", "two-bone"}) {
        const QString name = QString("over %1").arg(solver);
        (void)w->document().apply(
            {{"op", "addHandle"}, {"name", name}, {"start", "Shin"}, {"end", "tip"}, {"solver", solver}});
        QVERIFY2(isFinite(), solver);
        if (w->scene().handleNamed(name.toStdString()) == nullptr) continue; // refused, with a reason in the log
        QVERIFY(w->document().apply({{"op", "setGoal"}, {"handle", name}, {"position", QJsonArray{0.1, 0.2, 0.1}}}));
        QVERIFY2(isFinite(), solver);
        QVERIFY(w->document().undo());
        QVERIFY(w->document().undo());
    }
}

void HardCasesJourney::invalidNumbersAreRefused()
{
    QVERIFY(w->document().saveAs(m_folder.filePath("leg.tendon")));
    QFile file(m_folder.filePath("leg.tendon"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    // Replaces one number of the file, in two ways that careless JSON writers do.
    const Scene before = w->scene();
    const int at = static_cast<int>(good.indexOf("-0.44"));
    QVERIFY(at > 0);
    for (const char* bad : {"1e999", "NaN", "null"}) {
        QByteArray bytes = good;
        bytes.replace(at, 5, bad);
        write("bad.tendon", bytes);
        QVERIFY2(!w->window->files().openFile(m_folder.filePath("bad.tendon")), bad);
        QVERIFY2(said().contains("bad.tendon"), qPrintable(said()));
        QVERIFY(w->scene() == before); // the open document stays
        QVERIFY(isFinite());
    }
}

void HardCasesJourney::aBrokenModelIsRefusedWithAReason()
{
    write("broken.fbx", "Kaydara FBX Binary  \0\x1a\0" + QByteArray(400, '\x7f'));
    QSignalSpy imported(&w->window->files(), &FileActions::imported);
    w->window->files().openFile(m_folder.filePath("broken.fbx"));
    QTRY_COMPARE_WITH_TIMEOUT(imported.count(), 1, 20000);
    QVERIFY(!imported.first().first().toBool());
    QVERIFY2(said().contains("broken.fbx"), qPrintable(said()));
    QVERIFY(isFinite());
    w->picture("journey10-refused");
    w->window->close();
    w.reset();
}

void HardCasesJourney::aSolverThatHangsIsDisabledAndNamed()
{
    w = std::make_unique<RealWindow>("leg", [this](SolverRegistry& solvers) {
        addScripted(solvers, "hangs", [this](const sdk::Model&, const sdk::Problem&, sdk::Solution&) {
            while (!m_released)
                std::this_thread::sleep_for(std::chrono::milliseconds(5)); // and does not check for cancelling
            return sdk::Status::Converged;
        });
        (void)solvers.add(QStringLiteral(TENDON_BROKEN_PLUGINS "/nan.so").toStdString());
    });
    QSignalSpy hung(&w->state->scheduler(), &SolveScheduler::hung);
    QVERIFY(w->document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "hangs"}}));
    // The window stays usable meanwhile: it reacts at once.
    qint64 longest = 0;
    while (hung.isEmpty()) {
        QElapsedTimer clock;
        clock.start();
        w->hover({100, 100});
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        longest = std::max(longest, clock.elapsed());
    }
    QVERIFY2(longest < 1000, qPrintable(QString("%1 ms without an event").arg(longest)));
    QCOMPARE(hung.first().first().toString(), QString("hangs"));
    QVERIFY2(said().contains("hangs") && said().contains("disabled"), qPrintable(said()));
    QVERIFY(!w->frame()->handles.front().target.isActive());
    w->picture("journey10-hung");
    // With another solver the handle works again.
    w->clickRow("FootGoal");
    w->choose("handle.solver", QString::fromStdString(w->solvers.find("two-bone")->name));
    QVERIFY(w->frame()->handles.front().target.isActive());
    QVERIFY(isFinite());
    m_released = true;
}

void HardCasesJourney::aSolverThatReturnsNaNIsNamed()
{
    const SolverInfo* nan = w->solvers.find("nan");
    if (nan == nullptr) QSKIP("the misbehaving plugins are not built: --target broken_plugins");
    QVERIFY(w->document().apply(
        {{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "nan"}, {"pole", QJsonValue::Null}}));
    // The solver returns NaN if the goal is out of reach.
    QVERIFY(w->document().apply({{"op", "setGoal"}, {"handle", "FootGoal"}, {"position", QJsonArray{5, 0, 0}}}));
    QVERIFY(isFinite());
    QVERIFY2(said().contains("FootGoal") && said().contains("invalid values"), qPrintable(said()));
    w->picture("journey10-nan");
    w->clickOn("fix.0"); // the usual solver instead
    QCOMPARE(w->scene().handles->front().solver, std::string(SolverRegistry::kDefaultAlias));
    QVERIFY(!said().contains("invalid values"));
    while (w->document().undo()) {}
    w->window->close();
    w.reset();
}

void HardCasesJourney::unsavedWorkOfAKilledWindowIsOfferedAndRestored()
{
    // A window in its own process makes a large edit and is killed before it saves.
    write("work.json", R"([
        {"op": "setFrame", "value": 1}, {"op": "key", "target": "FootGoal"},
        {"op": "setFrame", "value": 20}, {"op": "setGoal", "handle": "FootGoal", "position": [0, 0.3, 0.2]}, {"op": "key", "target": "FootGoal"},
        {"op": "bakeClip", "clip": "Clip", "into": "baked"}])");
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/recovery";
    QProcess other;
    other.start(QStringLiteral(TENDON_EDITOR), {"--project", "sample:leg", "--script", m_folder.filePath("work.json")});
    QVERIFY(other.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder).entryList({"*.recovery.tendon"}, QDir::Files).isEmpty(), 20000);
    other.kill(); // kills this process by its id, so that it cannot clean up
    QVERIFY(other.waitForFinished());

    // The next start offers the recovered project.
    w.reset();
    QTimer::singleShot(600, qApp, [] {
        if (auto* dialog = QApplication::activeModalWidget())
            dialog->grab().save(QStringLiteral(TENDON_PICTURES) + "/journey10-recovery.png");
    });
    auto* click = new QTimer(qApp);
    connect(click, &QTimer::timeout, qApp, [click] {
        auto* dialog = QApplication::activeModalWidget();
        if (dialog == nullptr || dialog->objectName() != "recovery") return;
        for (auto* button : dialog->findChildren<QAbstractButton*>())
            if (button->text() == "Recover") {
                click->deleteLater();
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
    });
    click->start(900);
    w = std::make_unique<RealWindow>(nullptr);
    QVERIFY(w->scene().clipNamed("baked") != nullptr);
    QVERIFY(w->scene().handleNamed("FootGoal") != nullptr);
    QVERIFY(w->document().isModified());
    w->picture("journey10-recovered");
    // If the changes are discarded on closing, the next start does not ask.
    w->answer("Discard");
    QVERIFY(w->window->close());
    w.reset();
    QVERIFY(QDir(folder).entryList({"*.recovery.tendon"}, QDir::Files).isEmpty());
}

void HardCasesJourney::theCommandLineBakesTheSameBytes()
{
    w = std::make_unique<RealWindow>("mannequin");
    const QString project = m_folder.filePath("walk.tendon"), seen = m_folder.filePath("window.glb"),
                  baked = m_folder.filePath("baked.glb");
    QVERIFY(w->document().saveAs(project));
    QSignalSpy exported(&w->window->files(), &FileActions::exported);
    w->window->files().exportTo(seen, false);
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 60000);
    QVERIFY(exported.first().first().toBool());
    const auto bytes = [](const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const auto run = [&](const QStringList& arguments) {
        QProcess tendon;
        QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
        bare.remove("DISPLAY");
        tendon.setProcessEnvironment(bare);
        tendon.start(QStringLiteral(TENDON_COMMAND), arguments);
        tendon.waitForFinished(60000);
        return std::pair(tendon.exitCode(), tendon.readAllStandardError());
    };
    QCOMPARE(run({"bake", project, "-o", baked}).first, 0);
    QVERIFY(!bytes(seen).isEmpty());
    QVERIFY(bytes(seen) == bytes(baked));
    const auto [code, why] = run({"bake", m_folder.filePath("missing.tendon"), "-o", baked});
    QVERIFY(code != 0);
    QVERIFY2(why.contains("missing.tendon"), why.constData());

    // The session's script, run on the project that was opened, gives the same document.
    QVERIFY(w->document().openSample("leg"));
    w->settle();
    w->drag(w->goalOf("FootGoal"), {20, -20});
    w->clickOn("autoKey");
    w->type("frame", "30");
    w->drag(w->goalOf("FootGoal"), {30, -10});
    w->key(Qt::Key_Z, Qt::ControlModifier);
    w->key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    w->clickRow("Shin");
    w->type("joint.turn.x.to", "90");
    w->command("Dummy parent");
    QCOMPARE(w->replayedOn("leg"), QString());
    w->picture("journey10-end");
}

} // namespace

std::unique_ptr<QObject> makeHardCasesJourney() { return std::make_unique<HardCasesJourney>(); }

} // namespace tendon::test

#include "HardCases.moc"
