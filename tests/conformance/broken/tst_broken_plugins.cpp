#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kFolder = QStringLiteral(TENDON_BROKEN_PLUGINS);

struct Ended
{
    int exit = -1;
    QByteArray out, errors;
};

Ended tendon(const QStringList& arguments, const QString& pluginPath = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TENDON_PLUGIN_PATH"), pluginPath);
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("TENDON_WORKER"), arguments);
    if (!process.waitForFinished(120'000)) qFatal("tendon did not come back");
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

QString pathOf(const QString& name) { return kFolder + QLatin1Char('/') + name + QStringLiteral(".so"); }

QJsonObject checkNamed(const QJsonObject& report, const QString& name)
{
    for (const QJsonValue& value : report.value(QLatin1String("checks")).toArray())
        if (value.toObject().value(QLatin1String("name")).toString() == name) return value.toObject();
    return {};
}

QJsonObject examined(const QStringList& more)
{
    const bool hangs = more.first().contains(QLatin1String("hangs"));
    QStringList arguments = QStringList{QStringLiteral("plugins"), QStringLiteral("check"), QStringLiteral("--json"),
                                        QStringLiteral("--patience"),
                                        hangs ? QStringLiteral("2") : QStringLiteral("30")} +
                            more;
    if (!more.contains(QStringLiteral("--cases"))) arguments << QStringLiteral("--cases") << QStringLiteral("2");
    const Ended ended = tendon(arguments);
    const QJsonObject report = QJsonDocument::fromJson(ended.out).object();
    if (ended.exit != (report.value(QLatin1String("passed")).toBool() ? 0 : 3))
        qFatal("exit %d after: %s%s", ended.exit, ended.out.constData(), ended.errors.constData());
    return report;
}

} // namespace

/// What a stranger may bring along, through `tendon plugins` and `tendon plugins check` as people use them.
class TestBrokenPlugins : public QObject
{
    Q_OBJECT

private slots:
    void aFileThatCannotBeLoadedIsListedWithAReason_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("wrong IID") << "foreign"
                                   << "org.example.Painter/1";
        QTest::newRow("next major") << "next-major"
                                    << "(interface 'org.tendon.SolverPlugin/3'); this Tendon has 2.0. Update Tendon";
        QTest::newRow("newer SDK") << "later-minor"
                                   << "needs solver SDK 2.99; this Tendon has 2.0. Update Tendon";
        QTest::newRow("old SDK")
            << "old-sdk"
            << "needs solver SDK 1.x (interface 'org.tendon.SolverPlugin/1'); this Tendon has 2.0. Rebuild the plugin";
        QTest::newRow("no alias") << "no-alias"
                                  << "must be a non-empty string";
        QTest::newRow("half a file") << "half"
                                     << "half.so";
        QTest::newRow("no library") << "text"
                                    << "text.so";
    }

    void aFileThatCannotBeLoadedIsListedWithAReason()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        QTemporaryDir folder;
        const QString file = folder.filePath(name + QStringLiteral(".so"));
        QFile whole(pathOf(QStringLiteral("good"))), made(file);
        if (name == QLatin1String("half")) {
            QVERIFY(whole.open(QIODevice::ReadOnly) && made.open(QIODevice::WriteOnly));
            made.write(whole.read(4096));
        } else if (name == QLatin1String("text")) {
            QVERIFY(made.open(QIODevice::WriteOnly) && made.write("not a library") > 0);
        } else {
            QVERIFY(QFile::copy(pathOf(name), file));
        }
        made.close();
        const Ended listed = tendon({QStringLiteral("plugins")}, folder.path());
        QCOMPARE(listed.exit, 0); // nothing else suffers from it
        QVERIFY2(listed.errors.contains(reason.toUtf8()) && listed.errors.contains(file.toUtf8()),
                 listed.errors.constData());
        QVERIFY2(listed.out.contains("two-bone"), listed.out.constData());

        const QJsonObject loadable = checkNamed(examined({file}), QStringLiteral("loadable"));
        QCOMPARE(loadable.value(QLatin1String("verdict")).toString(), QStringLiteral("failed"));
        QVERIFY2(loadable.value(QLatin1String("detail")).toString().contains(reason),
                 qPrintable(loadable.value(QLatin1String("detail")).toString()));
    }

    void aSoundPluginPasses()
    {
        const QJsonObject report = examined({pathOf(QStringLiteral("sound"))});
        QVERIFY2(report.value(QLatin1String("passed")).toBool(), QJsonDocument(report).toJson().constData());
    }

    void aBrokenPluginFailsTheCheckNamedForItsFault_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("check");
        QTest::addColumn<QString>("group"); // that finds it, so that no other is run; "" = all are
        const auto row = [](const char* what, const char* name, const char* check, const char* group) {
            QTest::newRow(what) << name << check << group;
        };
        row("wrong layout", "other-layout", "loadable", "limits");
        row("makes no solver", "out-of-memory", "loadable", "limits");
        row("NaN", "nan", "results-finite", "unreachable");
        row("exceeds limits", "over-limits", "limits-kept", "limits");
        row("moves a solved pose", "moves-solved", "solved-stays", "solved-stays");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        row("allocates", "allocates", "no-allocations", "allocations");
#endif
        row("ignores cancel", "ignores-cancel", "cancel-midway", "cancel-midway");
        row("lies about aiming", "lies", "goal-kinds-solved", "goal-kinds");
        row("lies about objectives", "lies", "objectives", "objectives");
        row("crashes", "crashes", "survives", "degenerate");
        row("hangs", "hangs", "ends", "");
    }

    void aBrokenPluginFailsTheCheckNamedForItsFault()
    {
        QFETCH(QString, name);
        QFETCH(QString, check);
        QFETCH(QString, group);
        QStringList arguments = {pathOf(name)};
        if (!group.isEmpty()) arguments << QStringLiteral("--case") << group;
        const QJsonObject report = examined(arguments);
        const QJsonObject found = checkNamed(report, check);
        QVERIFY2(found.value(QLatin1String("verdict")).toString() == QLatin1String("failed"),
                 QJsonDocument(report).toJson().constData());
        QVERIFY(!found.value(QLatin1String("detail")).toString().isEmpty());
        if (check == QLatin1String("loadable")) return;

        // It says how to see that again, and so it is.
        QStringList words = QProcess::splitCommand(
            found.value(QLatin1String("repeat")).toString().replace(QLatin1Char('\''), QLatin1Char('"')));
        QVERIFY2(words.size() >= 6 &&
                     words.mid(0, 3) ==
                         QStringList({QStringLiteral("tendon"), QStringLiteral("plugins"), QStringLiteral("check")}),
                 qPrintable(words.join(QLatin1Char(' '))));
        const QJsonObject again = checkNamed(examined(words.mid(3)), check);
        QVERIFY2(again.value(QLatin1String("verdict")).toString() == QLatin1String("failed"),
                 qPrintable(words.join(QLatin1Char(' '))));
        QCOMPARE(again.value(QLatin1String("place")), found.value(QLatin1String("place")));
    }

    void aPluginThatCrashesIsCheckedFurther()
    {
        const QJsonObject report = examined({pathOf(QStringLiteral("crashes"))});
        const QString place = checkNamed(report, QStringLiteral("survives")).value(QLatin1String("place")).toString();
        QVERIFY2(place.startsWith(QLatin1String("degenerate/")), qPrintable(place));
        for (const char* check : {"limits-kept", "scale", "no-allocations"}) // before and after
            QVERIFY2(!checkNamed(report, QString::fromLatin1(check)).isEmpty(), check);
    }

    void benchCountsNanAsUnsolved()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::copy(pathOf(QStringLiteral("nan")), folder.filePath(QStringLiteral("nan.so"))));
        const auto write = [&folder](const char* name, const char* text) {
            QFile file(folder.filePath(QLatin1String(name)));
            return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
        };
        QVERIFY(write("arm.json", R"({"name": "arm", "kind": "independent", "cases": "arm.csv", "joints": [
            {"name": "turn", "parent": -1, "type": "revolute", "axis": [0, 0, 1], "pos": [0, 0, 0],
             "quat": [1, 0, 0, 0], "lower": null, "upper": null},
            {"name": "tip", "parent": 0, "type": "fixed", "pos": [1, 0, 0], "quat": [1, 0, 0, 0]}],
            "goals": [{"name": "tip", "joint": 1, "offset": [0, 0, 0], "position": true, "orientation": false}],
            "start": [0.5], "tolerance": {"position": 1e-4, "rotation": 1}})"));
        QVERIFY(write("arm.csv", "case,g0_px,g0_py,g0_pz,g0_qw,g0_qx,g0_qy,g0_qz\n0,0,2,0,1,0,0,0\n"));
        const Ended ended = tendon({QStringLiteral("bench"), QStringLiteral("--json"), QStringLiteral("--problem"),
                                    folder.filePath(QStringLiteral("arm.json")), QStringLiteral("--solver"),
                                    QStringLiteral("nan"), QStringLiteral("-o"),
                                    folder.filePath(QStringLiteral("answers.csv"))},
                                   folder.path());
        QVERIFY2(ended.exit == 3, ended.errors.constData());
        QVERIFY2(ended.errors.contains("solver plugin nan") && ended.errors.contains("infinite or none"),
                 ended.errors.constData());
        const QJsonObject report = QJsonDocument::fromJson(ended.out).object();
        QCOMPARE(report.value(QLatin1String("solved")).toInt(-1), 0);
        QCOMPARE(report.value(QLatin1String("statuses")).toObject().keys(), QStringList(QStringLiteral("failed")));
        QFile answers(folder.filePath(QStringLiteral("answers.csv")));
        QVERIFY(answers.open(QIODevice::ReadOnly));
        QVERIFY(!answers.readAll().contains("nan"));
    }

    void withoutArgumentsEveryPluginFoundIsChecked()
    {
        QTemporaryDir folder;
        for (const char* name : {"sound", "foreign"}) {
            const QString file = QString::fromLatin1(name) + QStringLiteral(".so");
            QVERIFY(QFile::copy(kFolder + QLatin1Char('/') + file, folder.filePath(file)));
        }
        const Ended ended = tendon({QStringLiteral("plugins"), QStringLiteral("check"), QStringLiteral("--case"),
                                    QStringLiteral("solved-stays"), QStringLiteral("--cases"), QStringLiteral("1")},
                                   folder.path());
        QCOMPARE(ended.exit, 3); // one of them cannot be loaded
        for (const char* part : {"tendon-dls.so", "tendon-two-bone.so", "sound.so", "foreign.so",
                                 "org.example.Painter/1", "Not all plugins"})
            QVERIFY2(ended.out.contains(part), ended.out.constData());
        const Ended byAlias = tendon({QStringLiteral("plugins"), QStringLiteral("check"), QStringLiteral("two-bone"),
                                      QStringLiteral("--case"), QStringLiteral("solved-stays")});
        QCOMPARE(byAlias.exit, 0);
        QCOMPARE(tendon({QStringLiteral("plugins"), QStringLiteral("check"), QStringLiteral("no-such-solver")}).exit,
                 1);
        QCOMPARE(tendon({QStringLiteral("plugins"), QStringLiteral("check"), QStringLiteral("two-bone"),
                         QStringLiteral("--case"), QStringLiteral("nothing")})
                     .exit,
                 1);
    }
};

QTEST_GUILESS_MAIN(TestBrokenPlugins)
#include "tst_broken_plugins.moc"
