#include "app/editor/Editor.h"
#include "app/editor/PluginFiles.h"
#include "core/conformance/Conformance.h"
#include "core/io/project/ProjectFile.h"
#include "core/solve/Baker.h"
#include "core/solve/PluginFile.h"
#include "tests/gui/Profile.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

extern "C" std::int64_t tendon_allocations(); // of this thread, so far

using namespace tendon;
using namespace tendon::editor;

namespace {

constexpr const char* kVariable = "TENDON_TEST_MISBEHAVIOUR";

/// What becomes of a bake.
enum class Fate {
    Fault,    ///< the plugin is named as crashed, hung or ended
    Failure,  ///< the solve is named as failed
    Harmless, ///< nothing: the bytes are those of the plugin when it behaves
    Alive,    ///< any of these
};

struct Misbehaviour
{
    const char* what; ///< "ACT@PLACE"
    Fate fate;
    const char* says; ///< that a fault's message holds
};

const Misbehaviour kMisbehaviours[] = {
    {"segv@static", Fate::Fault, "crashed (SIGSEGV) while it was loaded"},
    {"throw@static", Fate::Fault, "SIGABRT"},
    {"abort@static", Fate::Fault, "SIGABRT"},
    {"exit-0@static", Fate::Fault, "exit code 0"},
    {"_exit-0@static", Fate::Fault, "exit code 0"},
    {"spin@static", Fate::Fault, "did not respond"},
    {"sleep@static", Fate::Fault, "did not respond"},
    {"stack@static", Fate::Fault, "SIGSEGV"},
    {"print@static", Fate::Harmless, ""},
    {"close-all@static", Fate::Harmless, ""},
    {"segv@layout", Fate::Fault, "SIGSEGV"},
    {"exit-3@layout", Fate::Fault, "exit code 3"},
    {"deadlock@layout", Fate::Fault, "did not respond"},
    {"segv@create", Fate::Fault, "in its constructor"},
    {"throw@create", Fate::Fault, "SIGABRT"},
    {"bad-alloc@create", Fate::Fault, "SIGABRT"},
    {"exit-3@create", Fate::Fault, "exit code 3"},
    {"stack@create", Fate::Fault, "SIGSEGV"},
    {"sleep@create", Fate::Fault, "did not respond"},
    {"abort@parameter", Fate::Fault, "while a parameter was set"},
    {"exit-0@parameter", Fate::Fault, "exit code 0"},
    {"spin@parameter", Fate::Fault, "did not respond"},
    {"segv@prepare", Fate::Fault, "while it prepared"},
    {"throw@prepare", Fate::Fault, "SIGABRT"},
    {"exit-0@prepare", Fate::Fault, "exit code 0"},
    {"hoard@prepare", Fate::Fault, "SIGABRT"},
    {"deadlock@prepare", Fate::Fault, "did not respond"},
    {"segv@solve", Fate::Fault, "crashed (SIGSEGV) while it solved"},
    {"read-null@solve", Fate::Fault, "SIGSEGV"},
    {"abort@solve", Fate::Fault, "SIGABRT"},
    {"terminate@solve", Fate::Fault, "SIGABRT"},
    {"throw@solve", Fate::Fault, "SIGABRT"},
    {"exit-0@solve", Fate::Fault, "exit code 0"},
    {"exit-3@solve", Fate::Fault, "exit code 3"},
    {"_exit-0@solve", Fate::Fault, "exit code 0"},
    {"quick-exit@solve", Fate::Fault, "exit code 0"},
    {"fpe@solve", Fate::Fault, "SIGFPE"},
    {"illegal@solve", Fate::Fault, "SIGILL"},
    {"bus@solve", Fate::Fault, "SIGBUS"},
    {"stack@solve", Fate::Fault, "SIGSEGV"},
    {"bad-alloc@solve", Fate::Fault, "SIGABRT"},
    {"hoard@solve", Fate::Fault, "SIGABRT"},
    {"double-free@solve", Fate::Fault, "SIGABRT"},
    {"bad-free@solve", Fate::Fault, "crashed"},
    {"kill@solve", Fate::Fault, "SIGKILL"},
    {"term@solve", Fate::Fault, "SIGTERM"},
    {"pipe@solve", Fate::Fault, "SIGPIPE"},
    {"stop@solve", Fate::Fault, "did not respond"},
    {"break-out@static", Fate::Harmless, ""},
    {"break-out@solve", Fate::Harmless, ""},
    {"spin@solve", Fate::Fault, "did not respond"},
    {"sleep@solve", Fate::Fault, "did not respond"},
    {"deadlock@solve", Fate::Fault, "did not respond"},
    {"thread-exit@solve", Fate::Fault, ""},
    {"orphan-crash@solve", Fate::Fault, "SIGABRT"},
    {"orphan-sleep@prepare", Fate::Harmless, ""},
    {"close-all@solve", Fate::Harmless, ""},
    {"print@solve", Fate::Harmless, ""},
    {"segv@destroy", Fate::Alive, ""},
    {"exit-0@destroy", Fate::Alive, ""},
    {"sleep@destroy", Fate::Alive, ""},
    {"status@prepared", Fate::Fault, "returned 12345, which is no status, while it prepared"},
    {"failure@prepared", Fate::Failure, "failed while it prepared"},
    {"met@answer", Fate::Fault, "said that the goal is met, but it is 1.48 m away"},
    {"goal@answer", Fate::Fault, "gave a goal the status -99"},
    {"nan@answer", Fate::Fault, "a number that is infinite or none"},
    {"infinite@answer", Fate::Fault, "a number that is infinite or none"},
    {"status@answer", Fate::Fault, "returned 12345, which is no status, while it solved"},
    {"refuse@answer", Fate::Failure, "solver misbehaving"},
    {"far@answer", Fate::Alive, ""},
    {"counts@answer", Fate::Alive, ""},
    {"spans@answer", Fate::Alive, ""},
};

struct Ended
{
    int exit = -1; ///< -1 = by a signal, or not at all
    QByteArray out, errors;
    QString file; ///< that it was to write
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

PluginTrust hosted(double patience)
{
    PluginTrust trust;
    trust.isEveryPluginOurs = false;
    trust.host = TENDON_PLUGIN_HOST;
    trust.patience = patience;
    return trust;
}

bool isAct(const Misbehaviour& each, std::initializer_list<const char*> acts)
{
    return std::any_of(acts.begin(), acts.end(),
                       [&](const char* act) { return QByteArray(each.what).startsWith(QByteArray(act) + '@'); });
}

bool isHang(const Misbehaviour& each) { return isAct(each, {"spin", "sleep", "deadlock", "stop", "thread-exit"}); }

/// The processes whose command line names this file.
QStringList processesNaming(const QString& file)
{
    QStringList found;
    for (QDirIterator each(QStringLiteral("/proc"), QDir::Dirs | QDir::NoDotAndDotDot); each.hasNext();) {
        const QString process = each.next();
        const QByteArray line = contentOf(process + QStringLiteral("/cmdline"));
        if (line.contains(file.toUtf8()) && !process.endsWith(QString::number(QCoreApplication::applicationPid())))
            found << QString::fromUtf8(line).replace(QChar(0), QLatin1Char(' '));
    }
    return found;
}

/// Whether a thread of the plugin's process has called itself so.
bool isAsleep(const QString& plugin)
{
    for (QDirIterator each(QStringLiteral("/proc"), QDir::Dirs | QDir::NoDotAndDotDot); each.hasNext();) {
        const QString process = each.next();
        if (!contentOf(process + QStringLiteral("/cmdline")).contains(plugin.toUtf8())) continue;
        for (QDirIterator task(process + QStringLiteral("/task"), QDir::Dirs | QDir::NoDotAndDotDot); task.hasNext();)
            if (contentOf(task.next() + QStringLiteral("/comm")).startsWith("asleep")) return true;
    }
    return false;
}

} // namespace

/// A foreign plugin may do what it likes: the program lives, names it, and leaves outputs whole or untouched.
class TestPluginHost : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString m_plugin, m_project;
    QByteArray m_baked; ///< what a bake writes when the plugin behaves

    /// Runs the program once for each misbehaviour, several at a time.
    std::vector<Ended> runAll(const std::function<QStringList(const Misbehaviour&, const QString& file)>& arguments)
    {
        constexpr std::size_t kAtOnce = 6;
        std::vector<std::unique_ptr<QProcess>> running(std::size(kMisbehaviours));
        std::vector<Ended> all(running.size());
        const auto end = [&](std::size_t i) {
            QProcess& process = *running[i];
            const bool hasEnded = process.waitForFinished(60'000);
            all[i].exit = hasEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
            all[i].out = process.readAllStandardOutput();
            all[i].errors = process.readAllStandardError();
            running[i].reset();
        };
        for (std::size_t i = 0; i < running.size() + kAtOnce; ++i) {
            if (i >= kAtOnce) end(i - kAtOnce);
            if (i >= running.size()) continue;
            const Misbehaviour& each = kMisbehaviours[i];
            all[i].file = m_folder.filePath(QString::number(i) + QStringLiteral(".glb"));
            running[i] = start(arguments(each, all[i].file), each.what, isHang(each) ? 0.3 : 20);
        }
        return all;
    }

    std::unique_ptr<QProcess> start(const QStringList& arguments, const char* misbehaviour, double patience)
    {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TENDON_PLUGIN_PATH"), QFileInfo(m_plugin).path());
        environment.insert(QStringLiteral("TENDON_PLUGIN_PATIENCE"), QString::number(patience));
        environment.insert(QString::fromLatin1(kVariable), QString::fromLatin1(misbehaviour));
        environment.insert(QStringLiteral("TENDON_TEST_VICTIM"), m_project);
        process->setProcessEnvironment(environment);
        process->start(qEnvironmentVariable("TENDON_WORKER"), arguments);
        return process;
    }

    Ended run(const QStringList& arguments)
    {
        const auto process = start(arguments, "", 20);
        if (!process->waitForFinished(60'000)) qFatal("tendon did not come back");
        return {process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1,
                process->readAllStandardOutput(),
                process->readAllStandardError(),
                {}};
    }

    [[nodiscard]] QStringList baking(const QString& file) const
    {
        return {QStringLiteral("bake"), m_project, QStringLiteral("-o"), file, QStringLiteral("--quiet")};
    }

private slots:
    void initTestCase()
    {
        m_plugin = m_folder.filePath(QStringLiteral("misbehaving.so"));
        m_project = m_folder.filePath(QStringLiteral("arm.tendon"));
        QVERIFY(QFile::copy(QStringLiteral(TENDON_MISBEHAVING_PLUGIN), m_plugin));
        QByteArray project = contentOf(QStringLiteral(TENDON_SOURCE_DIR "/tests/cli/data/arm.tendon"));
        project.replace("\"dls\"", "\"misbehaving\"");
        QFile file(m_project);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(project) == project.size());
        file.close();

        const QString baked = m_folder.filePath(QStringLiteral("behaved.glb"));
        const Ended ended = run(baking(baked));
        QVERIFY2(ended.exit == 0, ended.errors.constData());
        m_baked = contentOf(baked);
        qputenv("TENDON_TEST_VICTIM", m_project.toUtf8());
        QVERIFY(!m_baked.isEmpty());
    }

    void aHostedSolverAnswersAsInThisProcess()
    {
        const auto project = readProject(m_project.toStdString());
        QVERIFY(project.has_value());
        const Clip& clip = *project->scene.clips.front();
        std::vector<BakedClip> baked;
        for (const PluginTrust& trust : {PluginTrust(), hosted(20)})
            for (const int threads : {1, 3}) {
                SolverRegistry solvers(trust);
                QVERIFY(solvers.add(m_plugin.toStdString()).has_value());
                auto made = bake(project->scene, solvers,
                                 {.clip = clip.id,
                                  .fps = {240, 1},
                                  .from = clip.begin(),
                                  .to = clip.end(),
                                  .threads = threads,
                                  .progress = {}});
                QVERIFY2(made.has_value(), made.has_value() ? "" : made.error().text().c_str());
                baked.push_back(*std::move(made));
            }
        for (const BakedClip& each : baked) {
            QVERIFY(each.locals == baked.front().locals); // to the bit
            QVERIFY(each.angles == baked.front().angles);
        }
        QVERIFY(processesNaming(m_plugin).isEmpty());
    }

    /// What goes through to the plugin and comes back, traces and all; and that nothing here allocates in a solve.
    void aHostedSolverKeepsTheContract()
    {
        SolverRegistry solvers(hosted(20));
        const auto info = solvers.add(m_plugin.toStdString());
        QVERIFY(info.has_value());
        conformance::Options options;
        options.casesPerRig = 2;
        options.allocations = tendon_allocations;
        const auto checks = conformance::examine({*info, [&] { return *solvers.create("misbehaving"); }}, options);
        bool areAllocationsCounted = false;
        for (const conformance::Check& check : checks) {
            // These cancel from within a write, which is the plugin's here, or look at the clock.
            if (check.name == "cancel-midway" || check.name == "cancel-in-time") continue;
            areAllocationsCounted |= check.name == "no-allocations" && check.tried > 0;
            QVERIFY2(check.verdict != conformance::Verdict::Failed, (check.name + ": " + check.detail).c_str());
        }
        QVERIFY(areAllocationsCounted);
        QVERIFY(!solvers.fault("misbehaving").has_value());
    }

    void aBakeNamesThePluginAndLeavesTheFile()
    {
        const auto all = runAll([this](const Misbehaviour&, const QString& file) {
            QFile old(file);
            if (!old.open(QIODevice::WriteOnly) || old.write("old") != 3) qFatal("cannot write");
            return baking(file);
        });
        QStringList wrong;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& [what, fate, says] = kMisbehaviours[i];
            const Ended& ended = all[i];
            const QByteArray file = contentOf(ended.file);
            const bool isNamed = ended.errors.contains(m_plugin.toUtf8()) && ended.errors.contains(says) &&
                                 ended.errors.count('\n') == 1;
            const bool isFailure = ended.exit == 1 && file == "old";
            const bool isDone = ended.exit == 0 && file == m_baked && ended.errors.isEmpty();
            const bool isRight = fate == Fate::Fault      ? isFailure && isNamed
                                 : fate == Fate::Failure  ? isFailure && ended.errors.contains(says)
                                 : fate == Fate::Harmless ? isDone
                                                          : isDone || isFailure || (ended.exit == 3 && isNamed);
            if (!isRight)
                wrong << QStringLiteral("%1: exit %2, %3 bytes: %4")
                             .arg(QString::fromLatin1(what))
                             .arg(ended.exit)
                             .arg(file.size())
                             .arg(QString::fromUtf8(ended.errors));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        QVERIFY2(processesNaming(m_plugin).isEmpty(), qPrintable(processesNaming(m_plugin).join(QLatin1Char('\n'))));
    }

    void validateNamesIt()
    {
        const std::pair<const char*, const char*> kFaults[] = {{"segv@create", "crashed (SIGSEGV) in its constructor"},
                                                               {"segv@solve", "crashed (SIGSEGV) while it solved"},
                                                               {"exit-0@solve", "exit code 0"},
                                                               {"sleep@solve", "did not respond"},
                                                               {"nan@answer", "infinite or none"},
                                                               {"met@answer", "said that the goal is met"},
                                                               {"status@answer", "which is no status"},
                                                               {"segv@destroy", "in its destructor"}};
        for (const auto& [what, says] : kFaults) {
            const auto process = start({QStringLiteral("validate"), m_project}, what,
                                       QByteArray(what).startsWith("sleep") ? 0.3 : 20);
            QVERIFY(process->waitForFinished(60'000));
            QCOMPARE(process->exitCode(), 3);
            const QByteArray said = process->readAllStandardOutput() + process->readAllStandardError();
            QVERIFY2(said.contains(says), what + QByteArray(": ") + said);
        }
    }

    void aPluginThatEveryUserMayReplaceIsLeftOut()
    {
        const QTemporaryDir folder; // of this user alone
        const QString plugin = folder.filePath(QStringLiteral("misbehaving.so"));
        QVERIFY(QFile::copy(QStringLiteral(TENDON_MISBEHAVING_PLUGIN), plugin));
        const auto isFound = [&] {
            SolverRegistry solvers(hosted(20));
            solvers.scan({folder.path().toStdString()});
            return solvers.find("misbehaving") != nullptr && solvers.issues().empty();
        };
        const auto own = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
        for (const QString& path : {plugin, folder.path()}) {
            QVERIFY(isFound());
            QVERIFY(QFile::setPermissions(path, own | QFile::WriteOther));
            QVERIFY2(!isFound(), qPrintable(path));
            QVERIFY(QFile::setPermissions(path, own));
        }
    }

    void theCheckFindsIt()
    {
        const auto all = runAll([this](const Misbehaviour& each, const QString&) {
            return QStringList{QStringLiteral("plugins"),
                               QStringLiteral("check"),
                               m_plugin,
                               QStringLiteral("--json"),
                               QStringLiteral("--cases"),
                               QStringLiteral("1"),
                               QStringLiteral("--case"),
                               QStringLiteral("solved-stays"),
                               QStringLiteral("--patience"),
                               isHang(each) ? QStringLiteral("0.5") : QStringLiteral("20")};
        });
        QStringList wrong;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& [what, fate, says] = kMisbehaviours[i];
            const QJsonObject report = QJsonDocument::fromJson(all[i].out).object();
            const bool hasPassed = all[i].exit == 0 && report.value(QLatin1String("passed")).toBool();
            const bool hasFailed = all[i].exit == 3 && !report.value(QLatin1String("passed")).toBool(true);
            const bool isMute = isAct(kMisbehaviours[i], {"close-all"}); // cannot say that it has passed
            const bool isRight = isMute                                         ? hasFailed || hasPassed
                                 : fate == Fate::Harmless                       ? hasPassed
                                 : fate == Fate::Fault || fate == Fate::Failure ? hasFailed
                                                                                : hasPassed || hasFailed;
            if (!isRight)
                wrong << QStringLiteral("%1: exit %2: %3%4")
                             .arg(QString::fromLatin1(what))
                             .arg(all[i].exit)
                             .arg(QString::fromUtf8(all[i].out), QString::fromUtf8(all[i].errors));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        QVERIFY2(processesNaming(m_plugin).isEmpty(), qPrintable(processesNaming(m_plugin).join(QLatin1Char('\n'))));
    }

    void theEditorNamesItAndKeepsWorking_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(std::size(kMisbehaviours)); ++i)
            QTest::newRow(kMisbehaviours[i].what) << i;
    }

    void theEditorNamesItAndKeepsWorking()
    {
        QFETCH(int, index);
        const auto& [what, fate, says] = kMisbehaviours[index];
        qputenv(kVariable, what);
        SolverRegistry solvers(hosted(isHang(kMisbehaviours[index]) ? 0.3 : 3.5));
        QVERIFY(solvers.add(m_plugin.toStdString()).has_value());
        solvers.scan();
        Editor editor(solvers);
        Issues reported;
        connect(&editor.document(), &EditorDocument::reported, this,
                [&](const Issues& issues) { reported.insert(reported.end(), issues.begin(), issues.end()); });
        QVERIFY(editor.document().openFile(m_project).has_value());
        const FramePtr frame = editor.finishFrame();
        QVERIFY(frame != nullptr && frame->rig != nullptr);
        for (const Affine& world : frame->solved.model.modelFromJoint) QVERIFY(world.matrix().allFinite());
        if (fate == Fate::Fault) {
            // The default solver stands in: the goal is met.
            QCOMPARE(frame->solved.handles.front().status, sdk::Status::Converged);
            QVERIFY(frame->solved.handles.front().positionError < 1e-3);
            const bool isReported = std::any_of(reported.begin(), reported.end(), [&](const Issue& issue) {
                return QByteArray::fromStdString(issue.line()).contains(m_plugin.toUtf8()) &&
                       QByteArray::fromStdString(issue.text).contains(says);
            });
            std::string all;
            for (const Issue& issue : reported) all += issue.line() + '\n';
            QVERIFY2(isReported, all.c_str());
        }
        QCOMPARE(editor.scheduler().disabled().size(), std::size_t{0});

        // Work goes on, and none of it is lost.
        QVERIFY(editor.document().applyNow(
            {{QStringLiteral("op"), QStringLiteral("addJoint")}, {QStringLiteral("name"), QStringLiteral("new")}}));
        const QString saved = m_folder.filePath(QStringLiteral("saved.tendon"));
        QVERIFY(editor.document().saveAs(saved));
        qputenv(kVariable, "");
        const QByteArray content = contentOf(saved);
        QVERIFY(content.contains("\"new\"") && content.contains("\"misbehaving\""));
    }

    /// A solve that hangs in a bake ends soon after it is cancelled, long before the patience with it does.
    void aHungBakeCanBeCancelled()
    {
        qputenv(kVariable, "sleep@solve");
        SolverRegistry solvers(hosted(60));
        QVERIFY(solvers.add(m_plugin.toStdString()).has_value());
        const auto project = readProject(m_project.toStdString());
        const Clip& clip = *project->scene.clips.front();
        std::atomic<bool> cancelled = false;
        std::jthread canceller([&] {
            while (!isAsleep(m_plugin)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
            cancelled = true;
        });
        const auto baked = bake(project->scene, solvers,
                                {.clip = clip.id,
                                 .fps = {24, 1},
                                 .from = clip.begin(),
                                 .to = clip.end(),
                                 .cancelled = &cancelled,
                                 .progress = {}});
        qputenv(kVariable, "");
        QVERIFY(!baked.has_value());
        QCOMPARE(baked.error().code, ErrorCode::Cancelled);
        QVERIFY(solvers.fault("misbehaving").has_value());
        QVERIFY(QByteArray::fromStdString(solvers.fault("misbehaving")->text()).contains("after it was cancelled"));
    }

    void aHostEndsWithTheProgramThatStartedIt()
    {
        const auto process = start(baking(m_folder.filePath(QStringLiteral("killed.glb"))), "sleep@solve", 60);
        const auto isAnyHost = [this] {
            const QStringList found = processesNaming(m_plugin);
            return std::any_of(found.begin(), found.end(),
                               [](const QString& line) { return line.contains(QLatin1String("tendon-plugin-host")); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isAnyHost(), 20'000);
        process->kill();
        QVERIFY(process->waitForFinished());
        QTRY_VERIFY(!isAnyHost());
    }

    /// A plugin that is mended while Tendon runs works again.
    void aReplacedPluginIsStartedAnew()
    {
        const QString file = m_folder.filePath(QStringLiteral("mended.so"));
        QVERIFY(QFile::copy(m_plugin, file));
        SolverRegistry solvers(hosted(20));
        QVERIFY(solvers.add(file.toStdString()).has_value());
        qputenv(kVariable, "segv@create");
        QVERIFY(!solvers.create("misbehaving").has_value());
        qputenv(kVariable, "");
        QVERIFY(!solvers.create("misbehaving").has_value()); // it stays disabled
        QVERIFY(QFile::remove(file) && QFile::copy(m_plugin, file));
        QFile mended(file);
        QVERIFY(mended.open(QIODevice::Append) && mended.write("\n") == 1);
        mended.close();
        const auto solver = solvers.create("misbehaving");
        QVERIFY2(solver.has_value(), solver.has_value() ? "" : solver.error().text().c_str());
        QVERIFY(!solvers.fault("misbehaving").has_value());
    }

    /// Parameters that panels and projects know are not set on a plugin that has others.
    void aPluginReplacedByAnotherOneIsNamed()
    {
        const QString file = m_folder.filePath(QStringLiteral("other.so"));
        QVERIFY(QFile::copy(m_plugin, file));
        SolverRegistry solvers(hosted(20));
        QVERIFY(solvers.add(file.toStdString()).has_value());
        solvers.scan();
        Editor editor(solvers);
        Issues reported;
        connect(&editor.document(), &EditorDocument::reported, this,
                [&](const Issues& issues) { reported.insert(reported.end(), issues.begin(), issues.end()); });
        QVERIFY(editor.document().openFile(m_project).has_value());
        QVERIFY(editor.finishFrame()->rig != nullptr);
        QVERIFY(reported.empty());

        QByteArray content = contentOf(file);
        const qsizetype metadata = content.indexOf("qt-project!"); // the note in which Qt keeps it
        const qsizetype parameter = content.indexOf("sweeps", metadata);
        QVERIFY(metadata > 0 && parameter > metadata);
        content.replace(parameter, 6, "rounds");
        QVERIFY(QFile::remove(file));
        QFile other(file);
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write(content) == content.size());
        other.close();
        QVERIFY(editor.document().applyNow(
            {{QStringLiteral("op"), QStringLiteral("addJoint")}, {QStringLiteral("name"), QStringLiteral("further")}}));
        const FramePtr frame = editor.finishFrame();
        QVERIFY(frame != nullptr && frame->rig != nullptr);
        QCOMPARE(frame->solved.handles.front().status, sdk::Status::Converged); // the default solver stands in
        QVERIFY(frame->solved.handles.front().positionError < 1e-3);
        QCOMPARE(reported.size(), std::size_t{1});
        const QByteArray said = QByteArray::fromStdString(reported.front().line());
        QVERIFY2(said.contains(file.toUtf8()) && said.contains("start the program again"), said.constData());
        QVERIFY(!solvers.create("misbehaving").has_value());

        QVERIFY(QFile::remove(file) && QFile::copy(m_plugin, file)); // the one that is known
        QVERIFY(solvers.create("misbehaving").has_value());
        QVERIFY(!solvers.fault("misbehaving").has_value());
    }

    /// A plugin that its author builds anew, with another description, is taken up while the editor runs.
    void aPluginThatIsBuiltAnewIsTakenUp()
    {
        test::useFreshProfile(m_folder.path());
        const QString file = m_folder.filePath(QStringLiteral("anew.so"));
        QVERIFY(QFile::copy(m_plugin, file));
        SolverRegistry solvers(hosted(20));
        Editor editor(solvers);
        {
            PluginFiles plugins(solvers, editor);
            QVERIFY(!plugins.open(m_project).has_value()); // no library
            QVERIFY(plugins.open(file).has_value());
            QVERIFY(plugins.open(file).has_value()); // once more: nothing happens
            QCOMPARE(solvers.solvers().size(), std::size_t{1});
            QVERIFY(editor.document().openFile(m_project).has_value());
            QCOMPARE(editor.finishFrame()->solved.handles.front().status, sdk::Status::Converged);

            const SolverInfo* before = solvers.find("misbehaving");
            const std::string summary = before->summary;
            QByteArray content = contentOf(file);
            const QByteArray written = QByteArray::fromStdString(summary);
            QVERIFY(content.contains(written));
            content.replace(written, QByteArray(written).replace(0, 3, "Now"));
            QSignalSpy taken(&plugins, &PluginFiles::changed);
            QVERIFY(QFile::remove(file));
            QFile anew(file);
            QVERIFY(anew.open(QIODevice::WriteOnly) && anew.write(content) == content.size());
            anew.close();
            QVERIFY(taken.wait(20'000));
            QCOMPARE(before->summary, summary); // what somebody still holds stays as it was
            QVERIFY(solvers.find("misbehaving")->summary.starts_with("Now"));
            QCOMPARE(editor.finishFrame()->solved.handles.front().status, sdk::Status::Converged);
            QVERIFY(solvers.faults().empty());

            // A build takes its time: a file that is written half is waited for, and what was there goes on.
            taken.clear();
            QSignalSpy unfinished(&plugins, &PluginFiles::unfinished);
            Issues reported;
            const auto listening = connect(
                &editor.document(), &EditorDocument::reported, this,
                [&](const Issues& issues) { reported.insert(reported.end(), issues.begin(), issues.end()); });
            QVERIFY(QFile::remove(file) && anew.open(QIODevice::WriteOnly));
            QVERIFY(anew.write(content.first(600)) == 600 && anew.flush());
            QVERIFY(unfinished.wait(20'000));
            QCOMPARE(unfinished.first().first().toString(), QFileInfo(file).canonicalFilePath());
            QVERIFY(taken.isEmpty());
            QVERIFY(editor.document().applyNow({{QStringLiteral("op"), QStringLiteral("addJoint")},
                                                {QStringLiteral("name"), QStringLiteral("meanwhile")}}));
            QCOMPARE(editor.finishFrame()->solved.handles.front().status, sdk::Status::Converged);
            QVERIFY(solvers.faults().empty());
            QVERIFY(anew.write(content.sliced(600)) == content.size() - 600);
            anew.close();
            QVERIFY(taken.wait(20'000));
            QCOMPARE(editor.finishFrame()->solved.handles.front().status, sdk::Status::Converged);
            QVERIFY(solvers.faults().empty());
            for (const Issue& issue : reported) QVERIFY2(issue.severity == Severity::Info, issue.line().c_str());
            QCOMPARE(reported.size(), std::size_t{1});
            disconnect(listening);

            // A build that fails half-way leaves a file that is no plugin: said, and mended by the next build.
            taken.clear();
            QVERIFY(anew.open(QIODevice::WriteOnly) && anew.write("half") == 4);
            anew.close();
            QVERIFY(taken.wait(20'000));
            QVERIFY(!solvers.create("misbehaving").has_value());
            taken.clear();
            QVERIFY(QFile::remove(file) && QFile::copy(m_plugin, file));
            QVERIFY(taken.wait(20'000));
            QVERIFY(solvers.create("misbehaving").has_value());
            QCOMPARE(editor.finishFrame()->solved.handles.front().status, sdk::Status::Converged);
        }
        SolverRegistry next(hosted(20)); // the next start
        Editor nextEditor(next);
        const PluginFiles remembered(next, nextEditor);
        QVERIFY(next.find("misbehaving") != nullptr);
    }

    /// A file that has not changed is not read again; one that has is, whatever its size and its times say.
    void aContentIsReadAgainWhenItHasChanged()
    {
        const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
        const std::string program =
            QCoreApplication::applicationFilePath().toStdString(); // large, and not just written
        const double begin = seconds();
        const std::string first = contentHash(program);
        const double read = seconds() - begin;
        for (int i = 0; i < 10; ++i) QCOMPARE(contentHash(program), first);
        QVERIFY2(seconds() - begin - read < read,
                 qPrintable(QString("%1 s, then %2 s").arg(read).arg(seconds() - begin - read)));

        QTemporaryDir folder;
        const std::string link = folder.filePath("link.so").toStdString(); // to old files: these are remembered
        std::filesystem::create_symlink(program, link);
        QCOMPARE(contentHash(link), first);
        std::filesystem::remove(link);
        std::filesystem::create_symlink(m_plugin.toStdString(), link);
        QCOMPARE(contentHash(link), contentHash(m_plugin.toStdString()));
        const std::string file = folder.filePath("a.so").toStdString();
        const auto write = [&](const char* text) {
            std::ofstream(file) << text;
            std::filesystem::last_write_time(file,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        };
        write("ours");
        const std::string ours = contentHash(file);
        write("evil"); // as long, and of the same time
        QVERIFY(contentHash(file) != ours);
        write("ours");
        QCOMPARE(contentHash(file), ours);
        std::filesystem::remove(file);
        QVERIFY(contentHash(file).empty());
    }

    void whatIsForeignIsDecidedByContent()
    {
        // One of Tendon's own, with another content, under its own name and in the first folder that is searched.
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("tendon-dls.so"));
        QVERIFY(QFile::copy(m_plugin, file));
        const std::string own = contentHash(m_plugin.toStdString());
        const std::string_view trusted[] = {own};
        PluginTrust trust = hosted(20);
        trust.isForeignAllowed = false;
        SolverRegistry without(trust);
        without.scan({folder.path().toStdString()});
        QVERIFY(without.solvers().empty());
        QCOMPARE(without.issues().size(), std::size_t{1});
        trust.ours = trusted;
        SolverRegistry with(trust);
        with.scan({folder.path().toStdString()});
        QCOMPARE(with.solvers().size(), std::size_t{1});
    }

    void withoutPluginsOnlyOurOwnAreFound()
    {
        const Ended listed = run(
            {QStringLiteral("plugins"), QStringLiteral("--json"), QStringLiteral("--without-plugins")});
        QCOMPARE(listed.exit, 0);
        const QJsonArray solvers =
            QJsonDocument::fromJson(listed.out).object().value(QLatin1String("solvers")).toArray();
        QVERIFY(solvers.size() > 10);
        QVERIFY(!listed.out.contains("org.test.misbehaving"));
        QVERIFY(run({QStringLiteral("plugins"), QStringLiteral("--json")}).out.contains("org.test.misbehaving"));
        const Ended baked = run(baking(m_folder.filePath(QStringLiteral("none.glb")))
                                << QStringLiteral("--without-plugins"));
        QCOMPARE(baked.exit, 1);
        QVERIFY2(baked.errors.contains("no such solver: 'misbehaving'"), baked.errors.constData());
    }
};

QTEST_GUILESS_MAIN(TestPluginHost)
#include "tst_plugin_host.moc"
