#include "core/json/JsonParse.h"
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

    void whatHasMoreThanOneMeaningIsRefusedAtItsPlace_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<std::string>("expected");
        const auto row = [](const char* name, const QByteArray& json, const char* expected) {
            QTest::newRow(name) << json << std::string(expected);
        };
        const char* const kTwice = R"(line 1 gives the member "a" twice; remove one of them)";
        row("none", R"({"a": {"a": [{"a": 1}, {"a": "a"}]}, "b": "a", "c": ["a", "a"], "d": {}})", "");
        row("outermost", R"({"a": 1, "b": 2, "a": 1})", kTwice);
        row("inner", "{\"x\": [0,\n[7, {\"b\": {}, \"a\": [],\n\"a\": 1}]]}",
            "/x/1/1: line 3 gives the member \"a\" twice; remove one of them");
        row("below a name with signs", R"({"p/q~r": {"a": 1, "a": 2}})", (std::string("/p~1q~0r: ") + kTwice).c_str());
        row("by escapes", R"({"a": 1, "\u0061": 1})", kTwice);
        row("beyond the BMP", "{\"\xf0\x9d\x84\x9e\": 1, \"\\ud834\\udd1e\": 1}",
            "line 1 gives the member \"\xf0\x9d\x84\x9e\" twice; remove one of them");
        row("quotation mark in a name", R"({"a\"b": 1, "a\\": 2, "b": 3})", "");
        QByteArray many = "{";
        for (int i = 0; i < 40; ++i) many += "\"" + QByteArray::number(i) + "\": 0, ";
        row("one of many", many + "\"39\": 1}", R"(line 1 gives the member "39" twice; remove one of them)");
        row("none of many", many + "\"40\": 1}", "");
        row("whole pair", R"({"a": "\ud834\udd1e\\ud834"})", "");
        row("first half", R"({"a": ["\\\ud834"]})",
            R"(/a/0: line 1 contains \ud834, half of a surrogate pair; write both halves or leave it out)");
        row("second half", R"({"a": {"b": "x\uDD1E"}})",
            R"(/a/b: line 1 contains \uDD1E, half of a surrogate pair; write both halves or leave it out)");
        row("two first halves", R"({"a": "\ud834\ud834\udd1e"})",
            R"(/a: line 1 contains \ud834, half of a surrogate pair; write both halves or leave it out)");
        row("in a name", R"({"x": {"\udd1e": 1}})",
            R"(/x: line 1 contains \udd1e, half of a surrogate pair; write both halves or leave it out)");
        row("not JSON", "{\"a\": 1, \"a\"", "is not a thing: not JSON at byte 12 (unterminated string)");
        row("no object", "[1]", "is not a thing: the JSON is not an object");
    }

    void whatHasMoreThanOneMeaningIsRefusedAtItsPlace()
    {
        QFETCH(QByteArray, json);
        QFETCH(std::string, expected);
        const auto object = parseJsonObject({json.constData(), static_cast<std::size_t>(json.size())}, "a thing");
        QCOMPARE(object ? std::string() : object.error().text(), expected);
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
