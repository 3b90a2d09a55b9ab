#include "core/document/Arguments.h"
#include "core/document/Operation.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace tendon {
namespace {

std::string textOf(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Double: {
        // The shortest text that reads back as the same number. JSON has no other numbers.
        const double number = value.toDouble() + 0.0;
        return std::isfinite(number) ? QString::number(number, 'g', QLocale::FloatingPointShortest).toStdString()
                                     : "null";
    }
    case QJsonValue::Array: {
        std::string text = "[";
        for (const QJsonValue& entry : value.toArray()) text += (text.size() > 1 ? ", " : "") + textOf(entry);
        return text + "]";
    }
    case QJsonValue::Object: {
        std::string text = "{";
        const QJsonObject object = value.toObject();
        for (auto entry = object.begin(); entry != object.end(); ++entry)
            text += (text.size() > 1 ? ", " : "") + textOf(entry.key()) + ": " + textOf(entry.value());
        return text + "}";
    }
    default: break;
    }
    // Let Qt escape strings and write the rest: wrapped, because a bare value is no document.
    const QByteArray wrapped = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return wrapped.mid(1, wrapped.size() - 2).toStdString();
}

std::string member(const QString& name, const QJsonValue& value) { return textOf(name) + ": " + textOf(value); }

std::string operationsToText(const QJsonArray& operations)
{
    std::string text = "[";
    for (const QJsonValue& operation : operations)
        text += (text.size() > 1 ? ", " : "") + operationToJson(operation.toObject());
    return text + "]";
}

std::string escapedForTable(std::string text)
{
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
    return text;
}

std::string typeText(const Field& field)
{
    if (field.type != Field::Type::Choice) return describe(field.type, field.choices);
    std::string text;
    for (const char c : field.choices) text += c == '|' ? std::string(", ") : std::string(1, c);
    return text;
}

} // namespace

std::string operationToJson(const QJsonObject& operation)
{
    const QJsonValue name = operation.value(QLatin1StringView("op"));
    std::string text = "{" + member(QStringLiteral("op"), name);
    QJsonObject rest = operation;
    rest.remove(QLatin1StringView("op"));
    if (const Operation* known = findOperation(name.toString().toStdString()))
        for (const Field& field : known->fields) {
            const QString key = QString::fromUtf8(field.name.data(), static_cast<qsizetype>(field.name.size()));
            if (!rest.contains(key)) continue;
            text += ", " + (field.type == Field::Type::Operations
                                ? textOf(key) + ": " + operationsToText(rest.value(key).toArray())
                                : member(key, rest.value(key)));
            rest.remove(key);
        }
    for (auto entry = rest.begin(); entry != rest.end(); ++entry) text += ", " + member(entry.key(), entry.value());
    return text + "}";
}

std::string operationsAsMarkdown()
{
    std::string page = R"(# Operations

Every change to a project is one of the operations on this page. `tendon run SCRIPT.json` carries out a script: a JSON
array of operations, or one operation on each line. The editor's Script panel shows every operation as it happens, and
can save them as a script.

```json
{"op": "addJoint", "name": "upper", "translation": [0, 1, 0]}
{"op": "addJoint", "name": "lower", "parent": "upper", "translation": [0, 0.5, 0]}
{"op": "rotate", "joint": "lower", "axis": "z", "value": 30}
{"op": "save", "file": "arm.tendon"}
```

**Units.** Lengths are in metres, angles in degrees, times in frames. A length in the space of a joint, such as a
translation, counts in that space: where the joint or one above it is scaled by 100, a value of 1 is 100 m in the world.
The editor's inspector shows the length in the world.

**Names.** If several joints have the same name, give the path of the one you mean: `a/b/c`.

**All or nothing.** If one operation of a script fails, the error names its line, the project does not change, and no
file is written, not even one that an earlier `save` or `export` asked for.

**Posing and keys.** On a channel without keys, posing sets a static value, which holds at every frame. On a keyed
channel, posing depends on Auto Key. With Auto Key on, it sets a key; the first key of a channel also keys the former
value at the first frame of the range. With Auto Key off, the value is *pending*: it holds at the current frame only,
`key` turns it into a key, and going to another frame drops it. Files do not hold it, so a script that ends with one fails
unless `tendon run --pending` says what happens to it.

**Undo.** Each operation that changes something is one undo step, except those marked °, which change the state of the
editor but not the project. An operation that leaves everything as it was is no step. Posing a pending value is a step,
too. Going to another frame or selecting a clip discards what is pending; this is a step, too, so `undo` brings it back.
`undo` and `redo` go to the frame at which the step was made. `group` makes one step of several operations.

This page is generated from the program's table of operations. To update it, run
`TENDON_UPDATE_DOCS=1 ctest -R tst_operation_table`.
)";
    for (const Operation& operation : operations()) {
        page += "\n## `" + std::string(operation.name) + "`" + (operation.isUndoStep ? "" : " °") + "\n\n" +
                std::string(operation.doc) + "\n";
        if (operation.fields.empty()) continue;
        page += "\n| field | type | meaning |\n|---|---|---|\n";
        for (const Field& field : operation.fields)
            page += "| `" + std::string(field.name) + "`" + (field.isRequired ? "" : " (optional)") + " | " +
                    escapedForTable(typeText(field)) + " | " + escapedForTable(std::string(field.doc)) + " |\n";
    }
    return page;
}

} // namespace tendon
