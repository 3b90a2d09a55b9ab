#include "core/document/ChangeSet.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Validate.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QRegularExpression>

using namespace tendon;
using namespace tendon::test;

/// Named moments of a clip.
class TestMarkers : public QObject
{
    Q_OBJECT

    static QStringList markersOf(const TestDocument& test)
    {
        QStringList list;
        for (const Marker& marker : test.document.clip()->markers)
            list << QStringLiteral("%1 %2 %3")
                        .arg(QString::fromStdString(marker.name))
                        .arg(test.scene().fps.frameAt(marker.time))
                        .arg(static_cast<int>(marker.color));
        return list;
    }

private slots:
    void markersAreAddedChangedMovedAndRemoved()
    {
        TestDocument test = arm();
        test(R"({"op": "addMarker", "name": "contact", "frame": 12, "color": "red"})")(R"({"op": "addMarker"})");
        QCOMPARE(test.document.clip()->name, std::string("Clip")); // as the first key makes one
        QCOMPARE(markersOf(test), (QStringList{"Marker 1 0", "contact 12 4"}));
        test(R"({"op": "setMarker", "name": "start", "color": "violet"})")(
            R"({"op": "setMarker", "frame": 12, "to": -3.5})");
        QCOMPARE(markersOf(test), (QStringList{"contact -3.5 4", "start 1 5"})); // in order of time
        test(R"({"op": "removeMarker", "frame": -3.5})");
        QCOMPARE(markersOf(test), QStringList{"start 1 5"});
        test(R"({"op": "undo"})")(R"({"op": "undo"})");
        QCOMPARE(markersOf(test), (QStringList{"start 1 5", "contact 12 4"}));
    }

    void whatIsWrongWithAMarkerIsSaid_data()
    {
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("taken") << QByteArray(R"({"op": "addMarker", "frame": 5})") << QByteArray("already a marker");
        QTest::newRow("moved onto another")
            << QByteArray(R"({"op": "setMarker", "frame": 9, "to": 5})") << QByteArray("already a marker");
        QTest::newRow("none") << QByteArray(R"({"op": "removeMarker", "frame": 6})") << QByteArray("no marker");
        QTest::newRow("nothing to set") << QByteArray(R"({"op": "setMarker", "frame": 5})") << QByteArray("give name");
        QTest::newRow("no name") << QByteArray(R"({"op": "addMarker", "name": ""})") << QByteArray("empty");
        QTest::newRow("two lines") << QByteArray(R"({"op": "setMarker", "frame": 5, "name": "a\nb"})")
                                   << QByteArray("one line");
        QTest::newRow("colour") << QByteArray(R"({"op": "addMarker", "color": "pink"})") << QByteArray("violet");
        QTest::newRow("far") << QByteArray(R"({"op": "addMarker", "frame": 1e8})") << QByteArray("10 000 000");
    }

    void whatIsWrongWithAMarkerIsSaid()
    {
        QFETCH(QByteArray, operation);
        QFETCH(QByteArray, reason);
        TestDocument test = arm();
        test(R"({"op": "addMarker", "frame": 5})")(R"({"op": "addMarker", "frame": 9})");
        const std::string error = test.error(operation.constData());
        QVERIFY2(error.find(reason.toStdString()) != std::string::npos, error.c_str());
    }

    void markersKeepTheirTimesAndGoWithTheirClip()
    {
        TestDocument test = arm();
        test(R"({"op": "addMarker", "frame": 12})")(R"({"op": "setFps", "value": 48})");
        QCOMPARE(markersOf(test), QStringList{"Marker 24 0"});
        test(R"({"op": "duplicateClip", "name": "Clip"})")(R"({"op": "removeMarker", "frame": 24})");
        QVERIFY(test.document.clip()->markers.empty());
        QCOMPARE(test.scene().clips.front()->markers.size(), std::size_t(1));
    }

    void aChangeOfMarkersIsNoneOfKeys()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow"})");
        const Scene before = test.scene();
        test(R"({"op": "addMarker", "frame": 7})");
        const ChangeSet changes = changesBetween(before, test.scene());
        const ObjectId clip = test.document.edit.currentClip.value;
        QVERIFY(changes.has(clip, Aspect::Settings) && !changes.has(clip, Aspect::Keys));
        QVERIFY(!differenceOf(*before.clips.front(), *test.document.clip()));
    }

    void markersAreSavedAndReadAgain()
    {
        TestDocument test = arm();
        test(R"({"op": "addMarker", "name": "Boden \u00fc/\u4e2d", "frame": -4, "color": "green"})")(
            R"({"op": "addMarker", "frame": 2.5})");
        const auto text = projectBytes(projectOf(test.document), {});
        QVERIFY(text.has_value());
        const auto read = projectFromBytes(*text, {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->scene == test.scene());
        QString late = QString::fromStdString(*text); // the first is later than the second
        static const QRegularExpression first(QStringLiteral("\"time\":\\s*-\\d+"));
        QVERIFY(late.contains(first));
        late.replace(first, QStringLiteral("\"time\": 900000000"));
        const auto refused = projectFromBytes(late.toStdString(), {});
        QVERIFY(!refused && refused.error().text().find("/clips/0/markers/1/time") != std::string::npos);
    }
};

TENDON_TEST(TestMarkers)
#include "tst_markers.moc"
