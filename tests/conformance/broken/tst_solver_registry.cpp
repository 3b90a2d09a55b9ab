#include "core/solve/SolverRegistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

using namespace tendon;

namespace {

const QString kFolder = QStringLiteral(TENDON_BROKEN_PLUGINS);

std::string pathOf(const char* name)
{
    return (kFolder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".so")).toStdString();
}

/// True when the library is mapped into this process.
bool isLoaded(const char* name)
{
    std::ifstream maps("/proc/self/maps");
    std::stringstream text;
    text << maps.rdbuf();
    return text.str().find(pathOf(name)) != std::string::npos;
}

/// The folder's plugins that the registry should take a look at, alone in a folder.
struct Folder
{
    QTemporaryDir directory;

    explicit Folder(std::initializer_list<const char*> names)
    {
        for (const char* name : names) {
            const QString file = QString::fromStdString(pathOf(name));
            if (!QFile::copy(file, directory.filePath(QFileInfo(file).fileName())))
                qFatal("cannot copy %s", qPrintable(file));
        }
    }
    [[nodiscard]] std::string path() const { return directory.path().toStdString(); }
};

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

} // namespace

class TestSolverRegistry : public QObject
{
    Q_OBJECT

private slots:
    void scanningLoadsNoLibrary()
    {
        SolverRegistry registry;
        registry.scan({kFolder.toStdString()});
        QVERIFY(registry.find("good") != nullptr);
        QVERIFY(!registry.issues().empty());
        for (const char* name : {"good", "foreign", "next-major", "other-layout"}) QVERIFY2(!isLoaded(name), name);
    }

    void unusablePluginsAreRefusedWithAReason_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("foreign") << "foreign"
                                 << "org.example.Painter/1";
        QTest::newRow("next-major") << "next-major"
                                    << "needs solver SDK 3.x (interface 'org.tendon.SolverPlugin/3'); this Tendon has "
                                       "2.0. Update Tendon, or rebuild the plugin with the SDK of this Tendon";
        QTest::newRow("later-minor") << "later-minor"
                                     << "needs solver SDK 2.99; this Tendon has 2.0. Update Tendon";
        QTest::newRow("built from newer headers") << "newer"
                                                  << "needs solver SDK 2.1; this Tendon has 2.0. Update Tendon";
        QTest::newRow("old-sdk")
            << "old-sdk"
            << "needs solver SDK 1.x (interface 'org.tendon.SolverPlugin/1'); this Tendon has 2.0. Rebuild the plugin";
        QTest::newRow("no-alias") << "no-alias"
                                  << "must be a non-empty string";
    }

    void unusablePluginsAreRefusedWithAReason()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        SolverRegistry registry;
        const auto added = registry.add(pathOf(qPrintable(name)));
        QVERIFY(!added.has_value());
        const std::string text = added.error().text();
        QVERIFY2(contains(text, qPrintable(reason)) && contains(text, qPrintable(name)), text.c_str());
        QVERIFY(text.find('\n') == std::string::npos);
        QVERIFY(registry.solvers().empty());
        QVERIFY(!isLoaded(qPrintable(name)));
    }

    void anotherLayoutIsRefusedBeforeAnythingElseIsCalled_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("alias");
        QTest::newRow("other fingerprint") << "other-layout"
                                           << "layout";
        QTest::newRow("members of Rows swapped") << "swapped-rows"
                                                 << "rows";
    }

    void anotherLayoutIsRefusedBeforeAnythingElseIsCalled()
    {
        QFETCH(QString, file);
        QFETCH(QString, alias);
        SolverRegistry registry;
        QVERIFY(registry.add(pathOf(qPrintable(file))).has_value());
        const auto solver = registry.create(alias.toStdString());
        QVERIFY(!solver.has_value());
        QVERIFY2(contains(solver.error().text(), "the layout of the SDK's structs"), solver.error().text().c_str());
        QVERIFY(!registry.create(alias.toStdString()).has_value()); // and stays refused
    }

    void aRelativePathIsRelativeToTheWorkingDirectory()
    {
        const Folder folder({"good"});
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.directory.path()));
        SolverRegistry registry;
        const auto added = registry.add("good.so");
        QVERIFY(QDir::setCurrent(before));
        QVERIFY2(added.has_value(), added.has_value() ? "" : added.error().text().c_str());
        QVERIFY(registry.create("good").has_value()); // also from elsewhere
    }

    void runningOutOfMemoryIsAnError()
    {
        SolverRegistry registry;
        QVERIFY(registry.add(pathOf("out-of-memory")).has_value());
        QVERIFY(!registry.create("memory").has_value());
    }

    void ofTwoPluginsWithOneIdTheFirstWins()
    {
        const Folder first({"good"}), second({"same-id"});
        SolverRegistry registry;
        registry.scan({first.path(), second.path()});
        QCOMPARE(registry.solvers().size(), std::size_t{1});
        QCOMPARE(registry.find("org.test.good")->alias, std::string("good"));
        QCOMPARE(registry.issues().size(), std::size_t{1});
        QVERIFY(contains(registry.issues()[0].text, "already found"));
        SolverRegistry reversed;
        reversed.scan({second.path(), first.path()});
        QCOMPARE(reversed.find("org.test.good")->alias, std::string("other"));
    }

    void aPluginWhoseAliasIsTakenIsFoundByItsId()
    {
        const Folder folder({"good", "taken-alias"});
        SolverRegistry registry;
        registry.scan({folder.path()});
        QCOMPARE(registry.find("good")->id, std::string("org.test.good"));
        QVERIFY(registry.find("org.test.alias") != nullptr);
        QCOMPARE(registry.issues().size(), std::size_t{1});
    }

    void filesThatAreNotPluginsAreListedAndNotFatal()
    {
        const Folder folder({"good"});
        QFile text(folder.directory.filePath(QStringLiteral("text.so")));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("not a library") > 0);
        text.close();
        QFile other(folder.directory.filePath(QStringLiteral("readme.txt")));
        QVERIFY(other.open(QIODevice::WriteOnly));
        QFile empty(folder.directory.filePath(QStringLiteral("empty.so")));
        QVERIFY(empty.open(QIODevice::WriteOnly));
        empty.close();
        QFile whole(QString::fromStdString(pathOf("good"))), half(folder.directory.filePath(QStringLiteral("half.so")));
        QVERIFY(whole.open(QIODevice::ReadOnly) && half.open(QIODevice::WriteOnly));
        half.write(whole.read(4096));
        half.close();
        SolverRegistry registry;
        registry.scan({"/no/such/folder", folder.path(), folder.path()});
        QCOMPARE(registry.solvers().size(), std::size_t{1});
        QVERIFY(registry.create("good").has_value());
        QCOMPARE(registry.issues().size(), std::size_t{6}); // three files, each seen twice
    }

    void aStaticallyLinkedSolverIsFoundLikeOthers()
    {
        SolverRegistry registry;
        SolverInfo info;
        info.id = "org.test.linked";
        info.alias = "linked";
        QVERIFY(registry.add(info, [] { return std::unique_ptr<sdk::Solver>(); }).has_value());
        QVERIFY(!registry.add(info, [] { return std::unique_ptr<sdk::Solver>(); }).has_value());
        QCOMPARE(registry.find("linked")->file, std::string());
        QVERIFY(!registry.create("linked").has_value()); // its factory gives null
        QVERIFY(!registry.create("gone").has_value());
    }

    void threadsCanCreateSolversAtTheSameTime()
    {
        SolverRegistry registry;
        QVERIFY(registry.add(pathOf("good")).has_value());
        const SolverRegistry copy = registry;
        std::atomic<int> created = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back(
                [&, i] { created += (i % 2 == 0 ? registry : copy).create("good").has_value() ? 1 : 0; });
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(created.load(), 8);
    }

    void loadedLibrariesAreNeverUnloaded()
    {
        std::unique_ptr<sdk::Solver> solver;
        {
            SolverRegistry registry;
            QVERIFY(registry.add(pathOf("good")).has_value());
            auto made = registry.create("good");
            QVERIFY(made.has_value());
            solver = *std::move(made);
        }
        QVERIFY(isLoaded("good"));
        QVERIFY(!solver->setParameter("x", 0)); // its code is still there
    }
};

QTEST_APPLESS_MAIN(TestSolverRegistry)
#include "tst_solver_registry.moc"
