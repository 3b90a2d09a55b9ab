#include "core/io/import/ChildProcess.h"
#include "core/io/import/ModelImport.h"
#include "core/io/import/Sandbox.h"
#include "core/io/model/Intermediate.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>
#include <random>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace tendon;
using namespace tendon::test;

namespace {

ChildRun shell(const std::string& script, ChildLimits limits)
{
    if (limits.maxOutputBytes == 0) limits.maxOutputBytes = 1 << 20;
    const auto run = runChild({"/bin/sh", "-c", script}, {}, limits);
    if (!run) qFatal("%s", run.error().text().c_str());
    return *run;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// False for a killed process that still waits for its parent to collect it.
bool isRunning(int process)
{
    const QByteArray stat = contentOf(QString("/proc/%1/stat").arg(process));
    const QByteArray state = stat.mid(stat.lastIndexOf(')') + 2, 1);
    return !stat.isEmpty() && state != "Z" && state != "X";
}

/// One of everything, sound.
SourceModel sampleModel()
{
    SourceModel model;
    model.format = "glb";
    model.nodes = {{"root", -1, {}, true}, {"tip", 0, {{0, 1, 0}}, true}};
    model.skinJoints = {0, 1};
    SourceMesh mesh;
    mesh.node = 0;
    mesh.jointNodes = {0, 1};
    mesh.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.mesh.normals.assign(3, {0, 0, 1});
    mesh.mesh.indices = {0, 1, 2};
    mesh.mesh.material = 0;
    mesh.mesh.skin.jointFromMesh.assign(2, Affine::Identity());
    mesh.mesh.skin.influenceBegin = {0, 1, 2, 3};
    mesh.mesh.skin.influenceJoint = {0, 1, 1};
    mesh.mesh.skin.influenceWeight = {1, 1, 1};
    mesh.mesh.morphTargets = {{"smile", 0.25f, {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}}, {}}};
    model.meshes = {mesh};
    model.materials.resize(1);
    model.materials[0].baseColourTexture = 0;
    model.textures = {{"face", "image/png", {1, 2, 3}}};
    model.animations = {{"walk",
                         0,
                         {{1, SourcePath::Rotation, SourceInterpolation::Linear, {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0}}},
                         {{0, 0, {0, 1}, {0.25, 1}}}}};
    model.issues = {{Severity::Info, "something", "somewhere"}};
    return model;
}

} // namespace

class TestImportChild : public QObject
{
    Q_OBJECT

private slots:
    void outputMessagesAndExitCodeAreCollected()
    {
        const ChildRun run = shell("echo data; echo words >&2; exit 3", {});
        QCOMPARE(run.end, ChildEnd::Exited);
        QCOMPARE(run.code, 3);
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(run.output.data()), qsizetype(run.output.size())),
                 QByteArray("data\n"));
        QCOMPARE(run.messages, std::string("words\n"));
        QVERIFY(run.peakResidentBytes > 0);
    }

    void inputArrivesThroughADescriptor()
    {
        const std::vector<std::uint8_t> input(300'000, 'x');
        const auto file = memoryFile(input);
        QVERIFY(file);
        const auto run = runChild({"/bin/sh", "-c", "wc -c <&3"}, {file->get(), {}}, {.maxOutputBytes = 100});
        QVERIFY(run);
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(run->output.data()), qsizetype(run->output.size())).trimmed(),
                 QByteArray("300000"));
    }

    void aChildThatHangsIsKilledWithItsOwnChildren()
    {
        QTemporaryDir folder;
        const QString note = folder.filePath("started");
        QCOMPARE(shell("sleep 1000 & echo $! > " + note.toStdString() + "; sleep 1000", {.maxSeconds = 1}).end,
                 ChildEnd::TimedOut);
        const int started = contentOf(note).trimmed().toInt();
        QVERIFY(started > 0);
        QTRY_VERIFY(!isRunning(started));
        QCOMPARE(shell("exec >&- 2>&-; sleep 1000", {.maxSeconds = 0.3}).end, ChildEnd::TimedOut);
        QCOMPARE(shell("while :; do :; done", {.maxCpuSeconds = 0.2}).end, ChildEnd::TimedOut);
        QCOMPARE(shell("sleep 0.5", {.maxCpuSeconds = 0.2}).end, ChildEnd::Exited); // waiting is no work
    }

    void aChildThatTakesTooMuchMemoryIsKilled()
    {
        const ChildRun run = shell("x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 100",
                                   {.maxSeconds = 30, .maxResidentBytes = 50 << 20});
        QCOMPARE(run.end, ChildEnd::TookTooMuchMemory);
    }

    void aChildThatWritesTooMuchIsKilled()
    {
        QCOMPARE(shell("cat /dev/zero", {.maxOutputBytes = 100'000}).end, ChildEnd::WroteTooMuch);
    }

    void aCrashIsDistinguishedFromAnExit()
    {
        const ChildRun run = shell("kill -SEGV $$", {});
        QCOMPARE(run.end, ChildEnd::Killed);
        QCOMPARE(run.code, SIGSEGV);
    }

    void aRunCanBeCancelledFromAnotherThread()
    {
        std::atomic<bool> cancelled = false;
        std::jthread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            cancelled = true;
        });
        QCOMPARE(shell("sleep 100", {.maxSeconds = 30, .cancelled = &cancelled}).end, ChildEnd::Cancelled);
    }

    void aMissingProgramIsAnError() { QVERIFY(!runChild({"/nonexistent/program"}, {}, {})); }

    void aCrashOfTheWorkerBecomesOneLine()
    {
        QTemporaryDir folder;
        TinyGltf gltf;
        gltf.node({{"name", "root"}});
        test::writeFile(folder.filePath("model.glb"), gltf.glb());
        test::writeFile(folder.filePath("worker"), "#!/bin/sh\necho '@reading its meshes' >&2\nkill -ABRT $$\n");
        QFile::setPermissions(folder.filePath("worker"), QFile::ReadOwner | QFile::ExeOwner);
        const QByteArray before = qgetenv("TENDON_WORKER");
        qputenv("TENDON_WORKER", folder.filePath("worker").toUtf8());
        const auto crashed = importModel(folder.filePath("model.glb").toStdString());
        test::writeFile(folder.filePath("garbage"),
                        "#!/bin/sh\necho garbage that is no model, although it is long enough to be one\n");
        QFile::setPermissions(folder.filePath("garbage"), QFile::ReadOwner | QFile::ExeOwner);
        qputenv("TENDON_WORKER", folder.filePath("garbage").toUtf8());
        const auto garbage = importModel(folder.filePath("model.glb").toStdString());
        qputenv("TENDON_WORKER", before);
        QVERIFY(!crashed && !garbage);
        QVERIFY2(crashed.error().text().find("the reader crashed (Aborted) while reading its meshes") !=
                     std::string::npos,
                 crashed.error().text().c_str());
        QVERIFY(crashed.error().text().find('\n') == std::string::npos);
        QVERIFY2(garbage.error().text().find("the import process") != std::string::npos,
                 garbage.error().text().c_str());
        QVERIFY(importModel(folder.filePath("model.glb").toStdString())); // the file itself was sound
    }

    /// InjectedCode.cpp stands for a flaw in a parser by which a file runs its own code.
    void codeInTheReaderCanHarmNothing()
    {
        if (kIsSanitized) QSKIP("sanitizers need more than the sandbox allows");
        QTemporaryDir folder;
        TinyGltf gltf;
        gltf.node({{"name", "root"}});
        test::writeFile(folder.filePath("model.glb"), gltf.glb());
        test::writeFile(folder.filePath("beside"), "whole");
        qputenv("TENDON_INJECTED_VICTIM", folder.filePath("beside").toUtf8());
        qputenv("TENDON_INJECTED_NEW", folder.filePath("new").toUtf8());
        const int inherited = ::open("/etc/passwd", O_RDONLY); // not closed on exec: what a careless host leaves open
        qputenv("LD_PRELOAD", TENDON_INJECTED_CODE);
        const auto imported = importModel(folder.filePath("model.glb").toStdString());
        qunsetenv("LD_PRELOAD");
        ::close(inherited);

        QVERIFY(!imported);
        const QString report = QString::fromStdString(imported.error().text());
        const QString marker = "while reading injected:";
        QVERIFY2(report.contains(marker), qPrintable(report));
        const QStringList attempts = report.section(marker, 1).section(';', 0, 0).split(' ', Qt::SkipEmptyParts);
        QVERIFY2(attempts.size() >= 30, qPrintable(report));
        for (const QString& attempt : attempts) QVERIFY2(attempt.endsWith("=refused"), qPrintable(attempt));
        QCOMPARE(contentOf(folder.filePath("beside")), QByteArray("whole"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).join(' '),
                 QString("beside model.glb"));
    }

    void theIntermediateRoundTrips()
    {
        const auto bytes = writeIntermediate(sampleModel());
        const auto outcome = readIntermediate(bytes);
        QVERIFY(outcome);
        const auto& model = std::get<SourceModel>(*outcome);
        QVERIFY(check(model));
        QCOMPARE(writeIntermediate(model), bytes);
        QCOMPARE(model.nodes[1].name, std::string("tip"));
        QCOMPARE(model.meshes[0].mesh.positions[1], Eigen::Vector3f(1, 0, 0));
        QCOMPARE(model.animations[0].channels[0].values[6], 1.0);

        const auto failure = readIntermediate(writeIntermediate(Error{ErrorCode::Io, "message", "place"}));
        QVERIFY(failure);
        QCOMPARE(std::get<Error>(*failure).text(), std::string("place: message"));
    }

    void aDamagedIntermediateIsAlwaysRefused()
    {
        const auto bytes = writeIntermediate(sampleModel());
        for (std::size_t length = 0; length < bytes.size(); ++length)
            QVERIFY(!readIntermediate(std::span(bytes).first(length)));
        std::mt19937 random(7);
        for (int i = 0; i < 3000; ++i) {
            auto damaged = bytes;
            damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1 << random() % 8);
            QVERIFY(!readIntermediate(damaged));
        }
    }

    void theParentFindsEveryKindOfFault_data()
    {
        QTest::addColumn<int>("fault");
        for (int fault = 0; fault < kFaultCount; ++fault) QTest::addRow("fault %d", fault) << fault;
    }

    void theParentFindsEveryKindOfFault()
    {
        QFETCH(int, fault);
        SourceModel model = sampleModel();
        QVERIFY(check(model));
        damage(model, fault);
        QVERIFY(!check(model));
    }

private:
    static constexpr int kFaultCount = 25;

    static void damage(SourceModel& model, int fault)
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        Mesh& mesh = model.meshes[0].mesh;
        SourceChannel& channel = model.animations[0].channels[0];
        switch (fault) {
        case 0: model.nodes[0].parent = 1; break; // a cycle
        case 1: model.nodes[0].parent = 2; break;
        case 2: model.nodes[0].name = "\xff"; break;
        case 3: model.nodes[0].local.rotation.coeffs() *= 2; break;
        case 4: model.nodes[0].local.translation.x() = static_cast<double>(nan); break;
        case 5: model.skinJoints[0] = -1; break;
        case 6: model.meshes[0].node = 5; break;
        case 7: mesh.indices[0] = 3; break;
        case 8: mesh.indices.pop_back(); break;
        case 9: mesh.normals.pop_back(); break;
        case 10: mesh.positions[0].x() = nan; break;
        case 11: mesh.material = 1; break;
        case 12: mesh.skin.influenceJoint[0] = 2; break;
        case 13: mesh.skin.influenceWeight[0] = -1; break;
        case 14: mesh.skin.influenceBegin[1] = 9; break;
        case 15: mesh.skin.jointFromMesh.pop_back(); break;
        case 16: mesh.morphTargets[0].positionDeltas.pop_back(); break;
        case 17: model.materials[0].baseColourTexture = 1; break;
        case 18: channel.node = 2; break;
        case 19: channel.times = {1, 0}; break;
        case 20: channel.values.pop_back(); break;
        case 21: channel.values[3] = 2; break;
        case 22: channel.times[1] = 1e12; break;
        case 23: model.metresPerUnit = 0; break;
        case 24: model.format = "../glb"; break;
        }
    }
};

TENDON_TEST(TestImportChild)
#include "tst_import_child.moc"
