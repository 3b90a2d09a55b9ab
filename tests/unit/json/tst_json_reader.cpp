#include "core/json/JsonReader.h"

#include <QJsonDocument>
#include <QTest>

using namespace tendon;

namespace {

constexpr std::string_view kColours[] = {"red", "green"};

/// Reads one member of each kind; the error, if there is one.
std::string errorIn(const QByteArray& json)
{
    JsonError error;
    JsonReader reader(QJsonDocument::fromJson(json).object(), "/thing", error);
    static_cast<void>(reader.requiredText("name"));
    static_cast<void>(reader.text("note"));
    static_cast<void>(reader.integer("count", 1, 0, 9));
    static_cast<void>(reader.number("size", 1));
    static_cast<void>(reader.boolean("isOpen", false));
    static_cast<void>(reader.oneOf("colour", kColours, 0));
    static_cast<void>(reader.fixedNumbers<2>("point", {0, 0}));
    if (reader.has("tags")) static_cast<void>(reader.texts("tags"));
    if (reader.has("inner")) {
        JsonReader inner = reader.object("inner");
        static_cast<void>(inner.requiredNumber("depth"));
        inner.refuseUnknown();
    }
    reader.refuseUnknown();
    return error.first ? error.first->text() : "";
}

} // namespace

class TestJsonReader : public QObject
{
    Q_OBJECT

private slots:
    void everyErrorNamesTheValueByItsPointer_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<std::string>("expected");
        const auto row = [](const char* json, const char* expected) {
            QTest::addRow("%s", json) << QByteArray(json) << std::string(expected);
        };
        row(R"({"name": "a"})", "");
        row(R"({"name": "a", "note": "", "count": 9, "size": 1.5, "isOpen": true, "colour": "green", "point": [1, 2],
               "tags": ["x"], "inner": {"depth": 3}})",
            "");
        row(R"({})", "/thing/name: must be a non-empty string, but is missing");
        row(R"({"name": ""})", "/thing/name: must be a non-empty string");
        row(R"({"name": "a", "note": 7})", "/thing/note: must be a string, but is a number");
        row(R"({"name": "a", "count": 1.5})", "/thing/count: must be a whole number");
        row(R"({"name": "a", "count": 10})", "/thing/count: is 10, outside 0 ... 9");
        row(R"({"name": "a", "isOpen": 1})", "/thing/isOpen: must be true or false, but is a number");
        row(R"({"name": "a", "colour": "blue"})", R"(/thing/colour: must be one of red, green, but is "blue")");
        row(R"({"name": "a", "point": [1]})", "/thing/point: must have 2 numbers, but has 1");
        row(R"({"name": "a", "point": [1, null]})", "/thing/point/1: must be a number, but is null");
        row(R"({"name": "a", "tags": ["x", 2]})", "/thing/tags/1: must be a string, but is a number");
        row(R"({"name": "a", "inner": 5})", "/thing/inner: must be an object, but is a number");
        row(R"({"name": "a", "inner": {}})", "/thing/inner/depth: must be a number, but is missing");
        row(R"({"name": "a", "inner": {"depth": 1, "width": 2}})",
            "/thing/inner/width: unknown member; allowed: depth");
    }

    void everyErrorNamesTheValueByItsPointer()
    {
        QFETCH(QByteArray, json);
        QFETCH(std::string, expected);
        QCOMPARE(errorIn(json), expected);
    }

    void theFirstErrorIsKept()
    {
        QCOMPARE(errorIn(R"({"name": 1, "note": 2})"),
                 std::string("/thing/name: must be a non-empty string, but is a number"));
    }

    void membersThatNobodyAskedForAreUnknown()
    {
        JsonError error;
        JsonReader reader(QJsonObject{{"a", 1}, {"b", 2}}, "", error);
        static_cast<void>(reader.number("a", 0));
        QCOMPARE(reader.unknownMembers(), (QJsonObject{{"b", 2}}));
        reader.refuseUnknown();
        QCOMPARE(error.first->text(), std::string("/b: unknown member; allowed: a"));
    }
};

QTEST_APPLESS_MAIN(TestJsonReader)
#include "tst_json_reader.moc"
