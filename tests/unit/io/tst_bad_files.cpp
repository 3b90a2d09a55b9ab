#include "core/io/import/ChildProcess.h"
#include "tests/support/TestProgram.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <atomic>
#include <mutex>
#include <thread>

using namespace tendon;

namespace {

constexpr double kMaxSeconds = 10;
constexpr std::int64_t kMaxBytes = std::int64_t{2} << 30;

struct BadFile
{
    QString path;
    bool isValid = false; ///< must import
};

struct Tally
{
    int refused = 0, imported = 0;
    double slowest = 0;
    std::int64_t largest = 0;
    QString slowestFile, largestFile;
    QStringList faults;
};

/// What `tendon import FILE -o OUT` does with files that are damaged: each run on its own, with nothing but the
/// program's outside to judge by.
class Judge
{
public:
    Judge() : m_program(qEnvironmentVariable("TENDON_WORKER")) {}

    Tally run(const std::vector<BadFile>& files)
    {
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            QTemporaryDir folder;
            for (std::size_t i = next++; i < files.size(); i = next++) judge(files[i], folder);
        };
        std::jthread second(work); // two processors are what the project counts on
        work();
        second.join();
        return m_tally;
    }

private:
    void judge(const BadFile& file, const QTemporaryDir& folder)
    {
        const QString output = folder.filePath("out.tendon");
        QFile::remove(output);
        const std::vector<std::string> command = {m_program.toStdString(), "import", file.path.toStdString(), "-o",
                                                  output.toStdString()};
        const auto run = runChild(command, {}, {.maxSeconds = 3 * kMaxSeconds, .maxOutputBytes = 1 << 20});
        const QString left = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).join(' ');

        const std::scoped_lock lock(m_mutex);
        const auto fault = [&](const QString& what) { m_tally.faults << file.path + ": " + what; };
        if (!run) return fault("could not be run");
        if (run->seconds > m_tally.slowest) m_tally.slowest = run->seconds, m_tally.slowestFile = file.path;
        if (run->peakResidentBytes > m_tally.largest)
            m_tally.largest = run->peakResidentBytes, m_tally.largestFile = file.path;
        if (run->end != ChildEnd::Exited) return fault("crashed or hung");
        if (run->seconds > kMaxSeconds) fault(QString("took %1 s").arg(run->seconds));
        if (run->peakResidentBytes > kMaxBytes) fault("took more than 2 GiB");
        const QString messages = QString::fromStdString(run->messages);
        if (run->code == 1) {
            ++m_tally.refused;
            if (messages.count('\n') != 1 || !messages.contains(file.path))
                fault("said not one clear line: " + messages);
            if (!left.isEmpty()) fault("was refused, but left " + left);
            if (file.isValid) fault("is valid, but was refused: " + messages);
        } else if (run->code == 0) {
            ++m_tally.imported;
            if (left != "out.tendon") fault("left something else than the project: " + left);
        } else {
            fault(QString("ended with code %1").arg(run->code));
        }
    }

    QString m_program;
    std::mutex m_mutex;
    Tally m_tally;
};

void report(const char* what, const Tally& tally, const QString& root, std::size_t count)
{
    const QDir folder(root);
    qInfo("%s: %d of %zu judged, %d refused with one line, %d imported; slowest %.2f s (%s), most memory %.0f MiB (%s)",
          what, tally.refused + tally.imported, count, tally.refused, tally.imported, tally.slowest,
          qPrintable(folder.relativeFilePath(tally.slowestFile)), static_cast<double>(tally.largest) / (1 << 20),
          qPrintable(folder.relativeFilePath(tally.largestFile)));
}

} // namespace

class TestBadFiles : public QObject
{
    Q_OBJECT

private slots:
    /// Names begin with "bad-" for what must be refused and with "good-" for what must not.
    void filesOfTheCorpusAreRefusedOrReadAsTheirNamesSay()
    {
        const QString root = TENDON_SOURCE_DIR "/tests/corpus";
        std::vector<BadFile> good, bad;
        for (const QFileInfo& file : QDir(root).entryInfoList({"*.glb", "*.gltf"}, QDir::Files, QDir::Name)) {
            if (file.fileName().startsWith("good-"))
                good.push_back({file.absoluteFilePath(), true});
            else
                bad.push_back({file.absoluteFilePath(), false});
        }
        QVERIFY(good.size() >= 3 && bad.size() >= 20);
        const Tally read = Judge().run(good), refused = Judge().run(bad);
        report("corpus, sound", read, root, good.size());
        report("corpus, damaged", refused, root, bad.size());
        QVERIFY2(read.faults.isEmpty(), qPrintable(read.faults.join("\n")));
        QVERIFY2(refused.faults.isEmpty(), qPrintable(refused.faults.join("\n")));
        QCOMPARE(read.imported, int(good.size()));
        QCOMPARE(refused.refused, int(bad.size()));
    }

    void theSharedBadFilesDoNoHarm()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared"),
                      root = shared + "/assets";
        QFile index(root + "/index.json");
        if (!index.open(QIODevice::ReadOnly))
            QSKIP(qPrintable("no bad files to read: TENDON_SHARED names no folder with assets/index.json (" + shared +
                             ")"));
        std::vector<BadFile> files;
        QJsonParseError problem;
        const QJsonDocument document = QJsonDocument::fromJson(index.readAll().replace(":NaN", ":null"),
                                                               &problem); // written by Python
        QVERIFY2(!document.isNull(), qPrintable(problem.errorString()));
        for (const QJsonValue entry : document["files"].toArray()) {
            const QString file = entry["file"].toString(), note = entry["note"].toString();
            if (file.startsWith("bad/") && (file.endsWith(".glb") || file.endsWith(".gltf")))
                files.push_back(
                    {QDir(root + "/" + file).absolutePath(), note.startsWith("VALID") || note.endsWith("(valid)")});
        }
        QVERIFY(files.size() > 200);
        const Tally tally = Judge().run(files);
        report("shared bad files", tally, root, files.size());
        QVERIFY2(tally.faults.isEmpty(), qPrintable(tally.faults.join("\n")));
    }
};

TENDON_TEST(TestBadFiles)
#include "tst_bad_files.moc"
