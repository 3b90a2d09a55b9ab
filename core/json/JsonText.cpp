#include "core/json/JsonText.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

namespace tendon {
namespace {

constexpr std::size_t kLineLength = 110;
constexpr std::array<std::string_view, 7> kFirst = {"schema", "version", "generator", "id",
                                                    "name",   "target",  "channel"};

std::size_t rank(const std::string& name)
{
    return static_cast<std::size_t>(std::find(kFirst.begin(), kFirst.end(), name) - kFirst.begin());
}

void writeString(const std::string& text, std::string& out)
{
    constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (code < 0x20) {
            out += "\\u00";
            out += kHex[code >> 4];
            out += kHex[code & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

void writeNumber(const QJsonValue& value, std::string& out)
{
    std::array<char, 32> buffer;
    // Whole numbers beyond 2^53 are kept as integers by Qt and must not pass through a double.
    const qint64 whole = value.toInteger(0);
    const double number = value.toDouble();
    const bool isWhole = static_cast<double>(whole) == number && (whole != 0 || number == 0);
    const auto end = isWhole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), whole)
                             : std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    out.append(buffer.data(), end.ptr);
}

bool isPlain(const QJsonValue& value) { return !value.isArray() && !value.isObject(); }

void writePlain(const QJsonValue& value, std::string& out)
{
    switch (value.type()) {
    case QJsonValue::Bool: out += value.toBool() ? "true" : "false"; return;
    case QJsonValue::Double: writeNumber(value, out); return;
    case QJsonValue::String: writeString(value.toString().toStdString(), out); return;
    default: out += "null"; return;
    }
}

/// Names in the order in which they are written.
std::vector<std::pair<std::string, QJsonValue>> members(const QJsonObject& object)
{
    std::vector<std::pair<std::string, QJsonValue>> all;
    all.reserve(static_cast<std::size_t>(object.size()));
    for (auto it = object.begin(); it != object.end(); ++it) all.emplace_back(it.key().toStdString(), it.value());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        const std::size_t ra = rank(a.first), rb = rank(b.first);
        return ra != rb ? ra < rb : a.first < b.first;
    });
    return all;
}

/// Appends the value without line breaks; false, with `out` in an unspecified state, as soon as it grows beyond
/// `limit`.
bool writeInline(const QJsonValue& value, std::string& out, std::size_t limit)
{
    if (isPlain(value)) {
        writePlain(value, out);
        return out.size() <= limit;
    }
    bool isFirst = true;
    if (value.isArray()) {
        out += '[';
        for (const QJsonValue& element : value.toArray()) {
            if (!std::exchange(isFirst, false)) out += ", ";
            if (!writeInline(element, out, limit)) return false;
        }
        out += ']';
    } else {
        out += '{';
        for (const auto& [name, member] : members(value.toObject())) {
            if (!std::exchange(isFirst, false)) out += ", ";
            writeString(name, out);
            out += ": ";
            if (!writeInline(member, out, limit)) return false;
        }
        out += '}';
    }
    return out.size() <= limit;
}

void write(const QJsonValue& value, std::size_t depth, std::size_t column, std::string& out)
{
    if (isPlain(value)) return writePlain(value, out);

    std::string line;
    const std::size_t room = column < kLineLength ? kLineLength - column : 0;
    if (depth > 0 && writeInline(value, line, room)) {
        out += line;
        return;
    }
    const std::string indent(2 * (depth + 1), ' ');
    const std::string closing = "\n" + std::string(2 * depth, ' ');
    bool isFirst = true;
    if (value.isArray()) {
        const QJsonArray array = value.toArray();
        const bool isFlat = std::all_of(array.begin(), array.end(), [](const QJsonValue& v) { return isPlain(v); });
        out += '[';
        for (const QJsonValue& element : array) {
            if (!std::exchange(isFirst, false))
                out += isFlat ? "," : ",\n" + indent;
            else if (!isFlat)
                out += "\n" + indent;
            write(element, depth + 1, indent.size(), out);
        }
        out += isFlat ? "]" : closing + "]";
    } else {
        out += '{';
        for (const auto& [name, member] : members(value.toObject())) {
            out += (std::exchange(isFirst, false) ? "\n" : ",\n") + indent;
            writeString(name, out);
            out += ": ";
            write(member, depth + 1, indent.size() + name.size() + 4, out);
        }
        out += closing + "}";
    }
}

} // namespace

std::string jsonText(const QJsonObject& object)
{
    std::string out;
    write(object, 0, 0, out);
    out += '\n';
    return out;
}

} // namespace tendon
