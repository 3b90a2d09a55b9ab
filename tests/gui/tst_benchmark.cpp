#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/BenchmarkDialog.h"

#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

namespace {

QByteArray benchmarkFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("no file %s", qPrintable(path));
    return file.readAll();
}

/// Rows without the column of the time.
QList<QByteArrayList> withoutTimes(const QByteArray& csv)
{
    QList<QByteArrayList> rows;
    for (const QByteArray& line : csv.trimmed().split('\n')) {
        QByteArrayList cells = line.split(',');
        cells.removeAt(1);
        rows << cells;
    }
    return rows;
}

QJsonObject withoutTimesOf(const QByteArray& json)
{
    QJsonObject report = QJsonDocument::fromJson(json).object();
    report.remove(QStringLiteral("medianMicroseconds"));
    report.remove(QStringLiteral("p95Microseconds"));
    return report;
}

} // namespace

/// Help, Benchmark solvers: the figures of `tendon bench`, from the window.
class TestBenchmark : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    struct Benched
    {
        explicit Benched(const char* sample = "leg")
            : w(sample), before(std::make_shared<const Scene>(w.document().scene()))
        {
        }
        void open()
        {
            w.window->commands().run("help.benchmark");
            dialog = w.window->findChild<BenchmarkDialog*>();
            if (dialog == nullptr || !QTest::qWaitForWindowExposed(dialog)) qFatal("no dialog");
        }
        template <typename T>
        [[nodiscard]] T* find(const char* name) const
        {
            T* found = dialog->findChild<T*>(QLatin1StringView(name));
            if (found == nullptr) qFatal("there is no %s", name);
            return found;
        }
        /// By the keyboard: Space on each that is not as it should be.
        void check(const QStringList& solvers) const
        {
            auto* list = find<QListWidget>("benchmark.solvers");
            list->setFocus();
            QTest::keyClick(list, Qt::Key_Home);
            for (int i = 0; i < list->count(); ++i, QTest::keyClick(list, Qt::Key_Down)) {
                const bool isWanted = solvers.contains(list->item(i)->data(Qt::UserRole).toString());
                if ((list->item(i)->checkState() == Qt::Checked) != isWanted) QTest::keyClick(list, Qt::Key_Space);
                if ((list->item(i)->checkState() == Qt::Checked) != isWanted) qFatal("a row is not checked");
            }
        }
        void typeProblem() const
        {
            auto* file = find<QLineEdit>("benchmark.file");
            file->clear();
            QTest::keyClicks(file, qEnvironmentVariable("TENDON_PROBLEM"));
        }
        void press(const char* name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
        void runAll() const
        {
            QSignalSpy changed(&dialog->run(), &BenchmarkRun::changed);
            press("benchmark.start");
            QVERIFY(dialog->run().isRunning());
            QCOMPARE(find<QPushButton>("benchmark.start")->text(), QString("Stop"));
            while (dialog->run().isRunning())
                if (!changed.wait(60'000)) qFatal("it does not end");
            QVERIFY(dialog->run().isWhole());
        }
        [[nodiscard]] QString cell(int row, int column) const
        {
            return find<QTreeWidget>("benchmark.table")->topLevelItem(row)->text(column);
        }
        [[nodiscard]] QString told() const { return find<QLabel>("benchmark.summary")->text(); }
        void save(const QString& path) const
        {
            const auto saved = dialog->save(path);
            QVERIFY2(saved, saved ? "" : saved.error().text().c_str());
        }

        WindowUnderTest w;
        std::shared_ptr<const Scene> before;
        BenchmarkDialog* dialog = nullptr;
    };

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void theFiguresAreThoseOfTheCommandLine()
    {
        Benched b;
        b.open();
        b.check({});
        QVERIFY(!b.find<QPushButton>("benchmark.start")->isEnabled());
        QCOMPARE(b.told(), QString("Check at least one solver."));
        b.check({"dls", "ccd"});
        QCOMPARE(b.told(), QString("Choose a problem set."));
        QVERIFY(!b.find<QPushButton>("benchmark.save")->isEnabled());
        b.typeProblem();
        b.runAll();
        QCOMPARE(b.find<QTreeWidget>("benchmark.table")->topLevelItemCount(), 2);
        QTemporaryDir folder;
        b.save(folder.filePath("r.csv"));
        for (int row = 0; row < 2; ++row) {
            const QString solver = QString::fromStdString(b.dialog->run().rows()[static_cast<std::size_t>(row)].solver);
            QProcess command;
            command.start(qEnvironmentVariable("TENDON_COMMAND"),
                          {"bench", "--problem", qEnvironmentVariable("TENDON_PROBLEM"), "--solver", solver, "--json",
                           "-o", folder.filePath("c.csv")});
            QVERIFY(command.waitForFinished(60'000));
            const QByteArray report = command.readAllStandardOutput();
            QCOMPARE(withoutTimesOf(benchmarkFile(folder.filePath("r-" + solver + ".json"))), withoutTimesOf(report));
            QCOMPARE(withoutTimes(benchmarkFile(folder.filePath("r-" + solver + ".csv"))),
                     withoutTimes(benchmarkFile(folder.filePath("c.csv"))));
            // What the table shows is what the report says.
            const QJsonObject figures = QJsonDocument::fromJson(report).object();
            const double share = 100 * figures["solved"].toDouble() / figures["cases"].toDouble();
            QCOMPARE(b.cell(row, 1), QStringLiteral("%1 % of %2").arg(share, 0, 'f', 1).arg(figures["cases"].toInt()));
            QCOMPARE(b.cell(row, 6).toInt(), figures["limitHits"].toInt());
            QCOMPARE(b.cell(row, 3).toDouble(), figures["medianIterations"].toDouble());
        }

        // A second run differs in its times alone.
        b.runAll();
        b.save(folder.filePath("again.csv"));
        for (const char* solver : {"dls", "ccd"}) {
            const QString name = QStringLiteral("-%1.csv").arg(QLatin1StringView(solver));
            QCOMPARE(withoutTimes(benchmarkFile(folder.filePath("again" + name))),
                     withoutTimes(benchmarkFile(folder.filePath("r" + name))));
        }
        QVERIFY(b.w.document().scene() == *b.before);
    }

    void theOpenClipIsMeasured()
    {
        Benched b("mannequin");
        b.w.select("HandIK_R");
        b.open();
        QCOMPARE(b.find<QComboBox>("benchmark.over")->currentText(),
                 QString("The open clip")); // of the selected handle
        QCOMPARE(b.find<QComboBox>("benchmark.handle")->currentText(), QString("HandIK_R"));
        b.check({"dls", "two-bone"});
        b.runAll();
        QCOMPARE(b.dialog->run().rows().size(), std::size_t(2));
        for (int row = 0; row < 2; ++row) {
            const BenchmarkRun::Row& figures = b.dialog->run().rows()[static_cast<std::size_t>(row)];
            QVERIFY(figures.score && figures.score->frames > 10);
            QVERIFY(b.cell(row, 1).endsWith(QStringLiteral("% of %1").arg(figures.score->frames)));
            QVERIFY(b.cell(row, 7).endsWith(QChar(0xb0)));
            QVERIFY(figures.score->highSeconds >= figures.score->medianSeconds &&
                    figures.score->highSeconds <= figures.score->maxSeconds);
        }
        QTemporaryDir folder;
        b.save(folder.filePath("clip.csv"));
        QVERIFY(benchmarkFile(folder.filePath("clip.csv")).startsWith("solver,frames,frames missed"));
        QVERIFY(b.w.document().scene() == *b.before);
    }

    /// In processes of their own, as the editor runs plugins that are not its own.
    void foreignPluginsAreContainedAndNamed()
    {
        const QString folder = qEnvironmentVariable("TENDON_BROKEN_PLUGINS");
        if (!QFile::exists(folder + "/crashes.so")) QSKIP("--target broken_plugins");
        PluginTrust trust;
        trust.isEveryPluginOurs = false;
        trust.host = qEnvironmentVariable("TENDON_PLUGIN_HOST").toStdString();
        SolverRegistry registry(trust);
        for (const char* plugin : {"crashes", "sound"}) {
            const auto added = registry.add((folder + '/' + QLatin1StringView(plugin) + ".so").toStdString());
            QVERIFY2(added, added ? "" : added.error().text().c_str());
        }
        // The elbow with another joint at the same point, where the one crashes.
        QTemporaryDir problem;
        QJsonObject json = QJsonDocument::fromJson(benchmarkFile(qEnvironmentVariable("TENDON_PROBLEM"))).object();
        QJsonArray joints = json["joints"].toArray();
        QJsonObject same = joints[2].toObject(), tip = same;
        same["name"] = "same";
        same["pos"] = QJsonArray{0, 0, 0};
        tip["parent"] = 2;
        joints[2] = same;
        joints.append(tip);
        json["joints"] = joints;
        QJsonArray goals = json["goals"].toArray();
        QJsonObject goal = goals[0].toObject();
        goal["joint"] = 3;
        json["goals"] = QJsonArray{goal};
        QFile file(problem.filePath("elbow.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(json).toJson()) > 0);
        file.close();
        QVERIFY(QFile::copy(QFileInfo(qEnvironmentVariable("TENDON_PROBLEM")).path() + "/elbow.csv",
                            problem.filePath("elbow.csv")));

        BenchmarkRun run;
        QSignalSpy changed(&run, &BenchmarkRun::changed);
        BenchmarkRun::Task task;
        task.problem = file.fileName().toStdString();
        task.solvers = {"crashes", "sound"};
        run.start(task, registry);
        while (run.isRunning())
            if (!changed.wait(60'000)) QFAIL("it does not end");
        QVERIFY2(run.problem().empty(), run.problem().c_str());
        QCOMPARE(run.rows().size(), std::size_t(2));
        const BenchmarkRun::Row &crashed = run.rows()[0], &sound = run.rows()[1];
        QVERIFY(!crashed.benchmark);
        QVERIFY2(crashed.trouble.find("crashes") != std::string::npos, crashed.trouble.c_str());
        QVERIFY2(sound.benchmark && sound.benchmark->solved > 0 && sound.trouble.empty(), sound.trouble.c_str());
    }

    void whatRunsIsStoppedAtOnce()
    {
        // The elbow's cases many times over, which take a while.
        QTemporaryDir folder;
        const QByteArrayList cases = benchmarkFile(QFileInfo(qEnvironmentVariable("TENDON_PROBLEM")).path() +
                                                   "/elbow.csv")
                                         .trimmed()
                                         .split('\n');
        QByteArray many = cases.front() + '\n';
        constexpr int kTimes = 3000;
        for (int i = 0; i < kTimes; ++i)
            for (qsizetype c = 1; c < cases.size(); ++c) {
                const qsizetype comma = cases[c].indexOf(',');
                many += QByteArray::number(i * (cases.size() - 1) + c - 1) + cases[c].mid(comma) + '\n';
            }
        QJsonObject json = QJsonDocument::fromJson(benchmarkFile(qEnvironmentVariable("TENDON_PROBLEM"))).object();
        json["count"] = kTimes * (cases.size() - 1);
        for (const auto& [name, bytes] :
             {std::pair("elbow.json", QJsonDocument(json).toJson()), std::pair("elbow.csv", many)}) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        }
        Benched b;
        b.open();
        b.check({"penalty", "ccd"});
        b.find<QLineEdit>("benchmark.file")->setText(folder.filePath("elbow.json"));
        b.press("benchmark.start");
        QVERIFY(b.dialog->run().isRunning());
        b.press("benchmark.start"); // Stop
        QVERIFY(!b.dialog->run().isRunning());
        QVERIFY(b.dialog->run().rows().empty() && !b.dialog->run().isWhole());
        QVERIFY(!b.find<QPushButton>("benchmark.save")->isEnabled());
        QCOMPARE(b.find<QPushButton>("benchmark.start")->text(), QString("Run"));

        b.find<QLineEdit>("benchmark.file")->setText("/nowhere/at/all.json");
        b.check({"dls"});
        b.runAll();
        QVERIFY2(b.told().contains("all.json"), qPrintable(b.told()));
    }
};

TENDON_TEST(TestBenchmark)
#include "tst_benchmark.moc"
