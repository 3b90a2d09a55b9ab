#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/ConformanceDialog.h"
#include "app/widgets/ProblemView.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// Help, Check solver plugin: the conformance suite on plugins that return NaN, exceed limits, crash and hang, and the
/// problem that each fails on.
class TestCheckPlugin : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static QString brokenPlugin(const char* name)
    {
        return qEnvironmentVariable("TENDON_BROKEN_PLUGINS") + '/' + QLatin1StringView(name) + QStringLiteral(".so");
    }

    /// The dialog on a plugin that does one thing wrong.
    struct Checked
    {
        explicit Checked(const char* plugin) : w("leg")
        {
            const QString file = brokenPlugin(plugin);
            if (const auto added = w.solvers.add(file.toStdString()); !added)
                qFatal("%s", added.error().text().c_str());
            before = std::make_shared<const Scene>(w.document().scene());
            w.window->commands().run("help.checkPlugin");
            dialog = w.window->findChild<ConformanceDialog*>();
            if (dialog == nullptr || !QTest::qWaitForWindowExposed(dialog)) qFatal("no dialog");
            dialog->setCases(1);
            dialog->run().setPatience(4, 4);
            auto* plugins = find<QComboBox>("conformance.plugin");
            QTest::keyClick(plugins, Qt::Key_End); // it was added last
            if (plugins->currentData().toString() != QLatin1StringView(plugin)) qFatal("%s is not last", plugin);
        }
        template <typename T>
        [[nodiscard]] T* find(const QString& name) const
        {
            T* found = dialog->findChild<T*>(name);
            if (found == nullptr) qFatal("there is no %s", qPrintable(name));
            return found;
        }
        void press(const QString& name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
        void runAll() const
        {
            press("conformance.start");
            QVERIFY(dialog->run().isRunning());
            QCOMPARE(find<QPushButton>("conformance.start")->text(), QString("Stop"));
            waitForEnd();
            QVERIFY(dialog->run().isWhole());
        }
        void waitForEnd() const
        {
            QSignalSpy changed(&dialog->run(), &ConformanceRun::changed);
            while (dialog->run().isRunning())
                if (!changed.wait(60'000)) qFatal("it does not end");
        }
        [[nodiscard]] const conformance::Check* check(const char* name) const
        {
            for (const conformance::Check& each : dialog->run().checks())
                if (each.name == name) return &each;
            return nullptr;
        }
        [[nodiscard]] QTreeWidgetItem* row(const char* name) const
        {
            const auto rows =
                find<QTreeWidget>("conformance.list")->findItems(QLatin1StringView(name), Qt::MatchExactly);
            return rows.isEmpty() ? nullptr : rows.first();
        }
        /// By the button in its row.
        const conformance::PosedProblem* showMe(const char* name) const
        {
            auto* list = find<QTreeWidget>("conformance.list");
            list->scrollToItem(row(name));
            QSignalSpy shown(&dialog->run(), &ConformanceRun::shown);
            press(QStringLiteral("conformance.show.%1").arg(QLatin1StringView(name)));
            if (shown.isEmpty() && !shown.wait(60'000)) qFatal("%s is not shown", name);
            return dialog->run().problem();
        }
        /// For a person, where TENDON_PICTURES names a folder.
        void picture(const char* name) const
        {
            if (!qEnvironmentVariableIsSet("TENDON_PICTURES")) return;
            for (const auto& [kind, theme] : {std::pair(Theme::Kind::Light, "light"), {Theme::Kind::Dark, "dark"}}) {
                Theme::instance().set(kind, 1);
                QCoreApplication::processEvents();
                dialog->grab().save(QStringLiteral("%1/check-%2-%3.png")
                                        .arg(qEnvironmentVariable("TENDON_PICTURES"), QLatin1StringView(name),
                                             QLatin1StringView(theme)));
            }
        }
        [[nodiscard]] QString text() const { return find<QLabel>("conformance.text")->text(); }

        WindowUnderTest w;
        std::shared_ptr<const Scene> before;
        ConformanceDialog* dialog = nullptr;
    };

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
        if (!QFile::exists(brokenPlugin("nan"))) QSKIP("--target broken_plugins");
    }

    void nanIsNamedAndItsProblemShown()
    {
        Checked c("nan");
        c.runAll();
        const conformance::Check* check = c.check("results-finite");
        QVERIFY(check != nullptr && check->verdict == conformance::Verdict::Failed);
        QVERIFY2(c.find<QLabel>("conformance.summary")->text().startsWith("The plugin does not keep its contract"),
                 qPrintable(c.find<QLabel>("conformance.summary")->text()));
        // Every check says in a sentence what it asks, passed or not.
        for (const conformance::Check& each : c.dialog->run().checks()) {
            QVERIFY2(c.row(each.name.c_str()) != nullptr, each.name.c_str());
            QVERIFY2(c.row(each.name.c_str())->text(1).endsWith('.'), each.name.c_str());
            const bool isFailed = each.verdict == conformance::Verdict::Failed && !each.place.empty();
            QCOMPARE(c.dialog->findChild<QPushButton*>("conformance.show." + QString::fromStdString(each.name)) !=
                         nullptr,
                     isFailed);
        }
        const conformance::PosedProblem* problem = c.showMe("results-finite");
        QVERIFY(problem != nullptr);
        QVERIFY2(check->detail.find(problem->label) != std::string::npos, problem->label.c_str()); // the very case
        QVERIFY(problem->answer.empty() && problem->start.size() == problem->parents.size());
        QVERIFY2(c.text().contains("not finite"), qPrintable(c.text()));
        QVERIFY(c.find<ProblemView>("conformance.view")->hasProblem());
        c.find<QCheckBox>("conformance.onlyFailed")->click();
        QVERIFY(c.row("results-finite") != nullptr && c.row("parameters-refused") == nullptr);
        QVERIFY(c.w.document().scene() == *c.before && !c.w.document().canUndo());
    }

    void theAnswerBeyondALimitIsSeenFromAllSides()
    {
        Checked c("over-limits");
        c.runAll();
        const conformance::PosedProblem* problem = c.showMe("limits-kept");
        QVERIFY(problem != nullptr && problem->answer.size() == problem->start.size());
        QVERIFY(std::count(problem->isBeyond.begin(), problem->isBeyond.end(), 1) > 0);
        c.picture("limits");
        auto* view = c.find<ProblemView>("conformance.view");
        const Vector3 off = problem->answer.back() + Vector3(0.1, 0, 0.3);
        const QPointF place = view->placeOf(off);
        const QImage seen = view->grab().toImage();
        QVERIFY(seen.pixelColor(view->placeOf(problem->answer.front()).toPoint()) !=
                Theme::instance().color("surface.well"));
        QTest::mousePress(view, Qt::LeftButton, {}, view->rect().center());
        QTest::mouseMove(view, view->rect().center() + QPoint(60, 20));
        QTest::mouseRelease(view, Qt::LeftButton, {}, view->rect().center() + QPoint(60, 20));
        QVERIFY(view->placeOf(off) != place && view->grab().toImage() != seen);
        const QPointF turned = view->placeOf(off);
        QTest::keyClick(view, Qt::Key_Left);
        QVERIFY(view->placeOf(off) != turned);
    }

    void aCrashIsContainedAndItsProblemShown()
    {
        Checked c("crashes");
        c.runAll();
        const conformance::Check* check = c.check("survives");
        QVERIFY(check != nullptr && check->place.starts_with("degenerate/"));
        QVERIFY(c.check("scale") != nullptr); // checked on behind the crash
        const conformance::PosedProblem* problem = c.showMe("survives");
        QVERIFY(problem != nullptr && !problem->start.empty() && problem->answer.empty());
        QCOMPARE(problem->outcome, std::string("it crashed its process"));
        QVERIFY2(c.text().contains("it crashed its process"), qPrintable(c.text()));
        c.picture("crash");
    }

    void aHangIsStoppedByHandOrByPatience()
    {
        Checked c("hangs");
        c.press("conformance.start");
        QSignalSpy changed(&c.dialog->run(), &ConformanceRun::changed);
        while (c.dialog->run().checks().empty()) QVERIFY(changed.wait(60'000));
        c.press("conformance.start"); // it says Stop now
        QVERIFY(!c.dialog->run().isRunning() && !c.dialog->run().isWhole());
        QVERIFY(!c.dialog->run().checks().empty());
        QVERIFY(c.find<QLabel>("conformance.summary")->text().startsWith("Stopped"));

        c.dialog->run().setPatience(1, 1);
        c.runAll();
        const conformance::Check* check = c.check("ends");
        QVERIFY(check != nullptr && check->detail.starts_with("it did not respond within 1 s"));
        const conformance::PosedProblem* problem = c.showMe("ends");
        QVERIFY(problem != nullptr && !problem->goals.empty());
        QCOMPARE(problem->outcome, std::string("it did not respond within 1 s"));
        QVERIFY(c.w.document().scene() == *c.before);
    }
};

TENDON_TEST(TestCheckPlugin)
#include "tst_check_plugin.moc"
