#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "tests/support/TestProgram.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <csignal>
#include <filesystem>
#include <functional>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tendon;

/// What FileStage promises: all or none, over nothing that must stay, and nothing left behind.
class TestFileStage : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    using Write = std::function<Result<void>(const std::string&)>;
    const Write m_write = [](const std::string& path) { return writePlainFile(path, "new"); };

    [[nodiscard]] std::string in(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
    [[nodiscard]] mode_t mode(const QString& name) const
    {
        struct stat info = {};
        return ::stat(in(name).c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
    }

    /// What writing over a file says; empty = it was written.
    [[nodiscard]] std::string refusal(const QString& name, const std::string& kept = {}) const
    {
        FileStage stage;
        stage.keep(kept, "the script that is run");
        if (const auto staged = stage.write(in(name), m_write); !staged) return staged.error().message;
        const auto written = stage.commit();
        return written ? "" : written.error().message;
    }

    /// Carries something out in a process of its own, which is ended by a signal; returns that signal.
    static int signalOf(const std::function<void()>& act)
    {
        const pid_t child = ::fork();
        if (child == 0) {
            act();
            ::sleep(5); // a signal that is handled by another thread
            ::_exit(1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }

private slots:
    void initTestCase()
    {
        QDir(m_folder.path()).mkdir("state");
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_folder.filePath("state")));
    }

    void init()
    {
        for (const QString& name : files())
            if (name != "state") std::filesystem::remove_all(in(name));
    }

    void allAreWrittenOrNone()
    {
        QVERIFY(writeFile(in("a"), "old").has_value());
        {
            FileStage stage;
            for (const char* name : {"a", "b", "c"}) QVERIFY(stage.write(in(name), m_write).has_value());
            QVERIFY(QDir(m_folder.path()).mkdir("c")); // comes to stand in the way
            QVERIFY(!stage.commit());
        }
        QCOMPARE(files(), (QStringList{"a", "c", "state"}));
        QCOMPARE(*readFile(in("a")), std::string("old"));
        QVERIFY(QDir(m_folder.path()).rmdir("c"));
        FileStage stage;
        for (const char* name : {"a", "b"}) QVERIFY(stage.write(in(name), m_write).has_value());
        QVERIFY(stage.commit().has_value());
        QCOMPARE(files(), (QStringList{"a", "b", "state"}));
        QCOMPARE(*readFile(in("a")), std::string("new"));
    }

    void filesInSubfoldersAreMovedToo()
    {
        const Write write = [](const std::string& path) -> Result<void> {
            const QFileInfo file(QString::fromStdString(path));
            QDir().mkpath(file.path() + "/data/deep");
            if (auto beside = writePlainFile((file.path() + "/data/deep/b").toStdString(), "beside"); !beside)
                return beside;
            return writePlainFile(path, "new");
        };
        {
            FileStage stage;
            QVERIFY(stage.write(in("a"), write).has_value());
            QVERIFY(stage.write(in("c"), write).has_value());
            QVERIFY(QDir(m_folder.path()).mkdir("c")); // appears before the files are moved
            QVERIFY(!stage.commit());
            QCOMPARE(files(), (QStringList{"c", "state"}));
            QVERIFY(QDir(m_folder.path()).rmdir("c"));
        }
        FileStage stage;
        QVERIFY(stage.write(in("a"), write).has_value());
        QVERIFY(stage.commit().has_value());
        QCOMPARE(*readFile(in("data/deep/b")), std::string("beside"));
        QCOMPARE(*readFile(in("a")), std::string("new"));
    }

    void whatMustStayStays()
    {
        QVERIFY(writeFile(in("script.json"), "script").has_value());
        QVERIFY(::link(in("script.json").c_str(), in("other.json").c_str()) == 0);
        QVERIFY(QFile::link("script.json", m_folder.filePath("link.json")));
        for (const char* name : {"script.json", "other.json", "link.json"})
            QCOMPARE(refusal(name, in("script.json")),
                     std::string("is the script that is run and is not overwritten; choose another name"));
        QCOMPARE(*readFile(in("script.json")), std::string("script"));
        QCOMPARE(refusal("new.json", in("missing.json")), std::string());

        QVERIFY(::mkfifo(in("pipe").c_str(), 0600) == 0);
        QVERIFY(refusal("pipe").find("is a device, a pipe or a socket") == 0);
        QVERIFY(refusal("state").find("there is a folder of this name") == 0);
        QVERIFY(refusal("nowhere/file").find("the folder to write into is not there") == 0);
        QVERIFY(QFile::link("loop", m_folder.filePath("loop")));
        QVERIFY(!refusal("loop").empty());
        QVERIFY(writeFile(in("protected"), "old").has_value());
        QVERIFY(::chmod(in("protected").c_str(), 0444) == 0);
        QVERIFY(refusal("protected").find("is write-protected") == 0);
        QCOMPARE(*readFile(in("protected")), std::string("old"));
    }

    /// A report takes the place of no project, and a project, by way of a link, that of no model.
    void filesOfAnotherKindStay()
    {
        QVERIFY(writeFile(in("model.glb"), "model").has_value());
        QVERIFY(QFile::link("model.glb", m_folder.filePath("link.tendon")));
        for (const auto& [name, kinds] : {std::pair<const char*, FileStage::Kinds>{"link.tendon", {}},
                                          {"model.glb", {".json"}},
                                          {"link.tendon", {".png"}}}) {
            FileStage stage;
            const auto checked = stage.check(in(name), kinds);
            QVERIFY2(!checked && checked.error().message.find("a file of another kind") != std::string::npos, name);
            const auto staged = stage.write(
                in(name), [](const std::string& file) { return writePlainFile(file, "new"); }, kinds);
            QVERIFY(!staged && stage.commit());
            QCOMPARE(*readFile(in("model.glb")), std::string("model"));
        }
        QCOMPARE(refusal("model.glb"), std::string()); // of its own kind
        QVERIFY(writeFile(in("notes.txt"), "old").has_value());
        FileStage stage;
        QVERIFY(stage.check(in("notes.txt"), {".json"})); // of none that is known
    }

    void oneFileIsNotWrittenTwice()
    {
        QVERIFY(QFile::link("twice.glb", m_folder.filePath("way.glb")));
        const auto put = [](const std::string& file) { return writePlainFile(file, "new"); };
        for (const char* name : {"twice.glb", "./twice.glb", "way.glb"}) {
            FileStage stage;
            QVERIFY(stage.write(in("twice.glb"), put));
            const auto again = stage.write(in(name), put);
            QVERIFY(!again);
            QVERIFY(again.error().message.find("is written twice") == 0);
            stage.forget(in(name)); // a later save
            QVERIFY(stage.write(in(name), put));
        }
    }

    void permissionsAndLinksAreKept()
    {
        QVERIFY(writeFile(in("private"), "old").has_value());
        QVERIFY(::chmod(in("private").c_str(), 0600) == 0);
        QCOMPARE(refusal("private"), std::string());
        QCOMPARE(mode("private"), mode_t(0600));

        QDir(m_folder.path()).mkdir("store");
        QVERIFY(writeFile(in("store/real"), "old").has_value());
        QVERIFY(QFile::link("store/real", m_folder.filePath("name")));
        QVERIFY(QFile::link("store/absent", m_folder.filePath("dangling")));
        for (const char* name : {"name", "dangling"}) {
            QCOMPARE(refusal(name), std::string());
            QVERIFY(QFileInfo(m_folder.filePath(name)).isSymLink());
        }
        QCOMPARE(*readFile(in("store/real")), std::string("new"));
        QCOMPARE(*readFile(in("store/absent")), std::string("new"));
    }

    /// The stage is listed before its files are moved. A list that cannot be made is an error, and not an empty one.
    void nothingIsSaidToBeWrittenThatIsNot()
    {
        QVERIFY(writeFile(in("a.glb"), "old").has_value());
        FileStage stage;
        QVERIFY(stage.write(in("a.glb"), m_write));
        rlimit before{};
        ::getrlimit(RLIMIT_NOFILE, &before);
        const int next = ::dup(STDERR_FILENO);
        const rlimit full{static_cast<rlim_t>(next), before.rlim_max};
        ::close(next);
        ::setrlimit(RLIMIT_NOFILE, &full);
        const auto written = stage.commit();
        ::setrlimit(RLIMIT_NOFILE, &before);
        QVERIFY(!written);
        QCOMPARE(written.error().where, in("a.glb"));
        QCOMPARE(*readFile(in("a.glb")), std::string("old"));
        settleUnfinishedWork(); // the next start's
        QCOMPARE(files(), (QStringList{"a.glb", "state"}));
    }

    void anErrorNamesTheTargetAndNotTheFolderOfTheStage()
    {
        FileStage stage;
        const auto refused = stage.write(in("out"), [](const std::string& path) {
            return Result<void>(Error{ErrorCode::Io, "cannot be written: No space left on device", path});
        });
        QCOMPARE(refused.error().where, in("out"));
        QCOMPARE(files(), QStringList{"state"});
    }

    /// The file that gives way is there until the others are, and stays when they cannot be put there.
    void obsoleteFilesGoLast()
    {
        QVERIFY(writeFile(in("old.bin"), "old").has_value());
        {
            FileStage stage;
            QVERIFY(stage.write(in("c"), m_write).has_value());
            stage.removeAfter(in("old.bin"));
            QVERIFY(QDir(m_folder.path()).mkdir("c"));
            QVERIFY(!stage.commit());
            QVERIFY(QDir(m_folder.path()).rmdir("c"));
            QVERIFY(QFileInfo::exists(m_folder.filePath("old.bin")));
        }
        FileStage stage;
        QVERIFY(stage.write(in("c"), m_write).has_value());
        stage.removeAfter(in("old.bin"));
        QVERIFY(stage.commit().has_value());
        QCOMPARE(files(), (QStringList{"c", "state"}));
    }

    void signalsAndKillsLeaveNothing()
    {
#ifdef __SANITIZE_THREAD__
        QSKIP("ThreadSanitizer cannot follow a thread that starts in a forked process");
#endif
        QVERIFY(writeFile(in("a"), "old").has_value());
        for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGXCPU}) {
            const auto ended = signalOf([&] {
                clearOnSignals();
                FileStage stage;
                (void)stage.write(in("a"), [&](const std::string& path) {
                    (void)writePlainFile(path, "half");
                    ::kill(::getpid(), signal);
                    ::sleep(5);
                    return Result<void>();
                });
            });
            QCOMPARE(ended, signal);
            QCOMPARE(files(), (QStringList{"a", "state"}));
        }
        const auto killed = signalOf([&] {
            FileStage stage;
            (void)stage.write(in("a"), [](const std::string& path) {
                (void)writePlainFile(path, "half");
                ::kill(::getpid(), SIGKILL);
                return Result<void>();
            });
        });
        QCOMPARE(killed, SIGKILL);
        QCOMPARE(files().size(), 3);
        settleUnfinishedWork();
        QCOMPARE(files(), (QStringList{"a", "state"}));
        QCOMPARE(*readFile(in("a")), std::string("old"));
    }

    /// Killed between the moves of a set, the next start finishes it.
    void aSetIsFinishedByTheNextStart()
    {
        for (const char* name : {"a", "b", "obsolete"}) QVERIFY(writeFile(in(name), "old").has_value());
        const auto killed = signalOf([&] {
            UnfinishedWork work;
            const std::string folder = *work.makeFolder(in("."));
            std::vector<UnfinishedWork::Move> moves;
            for (const std::string name : {"a", "b"}) {
                (void)writePlainFile(folder + "/" + name, "new");
                moves.push_back({folder + "/" + name, in(QString::fromStdString(name))});
            }
            const UnfinishedWork::Commit commit(work, moves, {in("obsolete")});
            (void)::rename(moves[0].from.c_str(), moves[0].to.c_str());
            ::kill(::getpid(), SIGKILL);
        });
        QCOMPARE(killed, SIGKILL);
        QCOMPARE(*readFile(in("b")), std::string("old"));
        settleUnfinishedWork();
        for (const char* name : {"a", "b"}) QCOMPARE(*readFile(in(name)), std::string("new"));
        QCOMPARE(files(), (QStringList{"a", "b", "state"}));
    }

    /// Another process that lives is left alone.
    void workOfTheLivingIsNotTouched()
    {
        UnfinishedWork work;
        const std::string folder = *work.makeFolder(in("."));
        settleUnfinishedWork();
        QVERIFY(QFileInfo(QString::fromStdString(folder)).isDir());
    }
};

TENDON_TEST(TestFileStage)
#include "tst_file_stage.moc"
