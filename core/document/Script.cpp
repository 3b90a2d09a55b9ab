#include "core/document/Script.h"

#include "core/document/MakeOperation.h"
#include "core/document/Operation.h"
#include "core/document/Posing.h"
#include "core/document/Transaction.h"
#include "core/json/JsonParse.h"

#include <QJsonArray>

#include <algorithm>
#include <set>

namespace tendon {
namespace {

std::string lineText(int line) { return "line " + std::to_string(line); }

/// "line 7", and where operations and lines do not go together "line 9 (operation 7)".
std::string placeOf(const Script::Entry& entry)
{
    return lineText(entry.line) +
           (entry.line == entry.number ? "" : " (operation " + std::to_string(entry.number) + ")");
}

/// Walks through JSON text far enough to tell where its values begin and end, and on which line.
class Splitter
{
public:
    explicit Splitter(std::string_view text, int line = 1) : m_text(text), m_line(line)
    {
        if (m_text.starts_with("\xEF\xBB\xBF")) m_at = 3; // a byte order mark
    }

    void skipSpace()
    {
        while (m_at < m_text.size() &&
               (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\r' || m_text[m_at] == '\n'))
            step();
    }

    [[nodiscard]] bool isAtEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek() const { return isAtEnd() ? '\0' : m_text[m_at]; }
    [[nodiscard]] int line() const { return m_line; }
    void step()
    {
        if (m_text[m_at] == '\n') ++m_line;
        ++m_at;
    }

    /// The text of one string with its quotation marks. Precondition: it begins here.
    std::string_view string()
    {
        const std::size_t begin = m_at;
        step();
        while (!isAtEnd() && peek() != '"') {
            if (peek() == '\\' && m_at + 1 < m_text.size()) step();
            step();
        }
        if (!isAtEnd()) step();
        return m_text.substr(begin, m_at - begin);
    }

    /// The text of one object or list, from its opening bracket to the closing one; empty when it does not close.
    std::string_view object()
    {
        const std::size_t begin = m_at;
        int depth = 0;
        while (!isAtEnd()) {
            const char c = peek();
            if (c == '"') {
                (void)string();
                continue;
            }
            if (c == '{' || c == '[') ++depth;
            if (c == '}' || c == ']') --depth;
            step();
            if (depth == 0) return m_text.substr(begin, m_at - begin);
        }
        return {};
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line;
};

Error syntaxError(int line, const std::string& message)
{
    return {ErrorCode::InvalidArgument, message, lineText(line)};
}

/// Fills in the operations of a group and the lines where they begin. `text` is the group's, which is valid JSON.
void readInner(std::string_view text, Script::Entry& group)
{
    const QJsonArray operations = group.operation.value(QLatin1StringView("operations")).toArray();
    if (operations.isEmpty()) return;
    Splitter splitter(text, group.line);
    splitter.step(); // the opening brace
    std::string_view lastString;
    while (!splitter.isAtEnd()) {
        const char c = splitter.peek();
        if (c == '"') {
            lastString = splitter.string();
        } else if (c == '[' && lastString == "\"operations\"") {
            splitter.step();
            for (const QJsonValue& operation : operations) {
                if (!operation.isObject()) return; // the check of the operation's fields says so
                while (splitter.peek() != '{') splitter.step();
                Script::Entry entry{operation.toObject(), splitter.line(), group.number, {}};
                readInner(splitter.object(), entry);
                group.inner.push_back(std::move(entry));
            }
            return;
        } else if (c == '[' || c == '{') {
            (void)splitter.object();
        } else {
            splitter.step();
        }
    }
}

/// The operation that an error of `entry` is about, given the error's place: of a group, the one inside it.
const Script::Entry& failedOperation(const Script::Entry& entry, std::string_view where)
{
    for (std::size_t i = 0; i < entry.inner.size(); ++i) {
        const std::string place = "group: " + placeInGroup(i);
        if (!where.starts_with(place)) continue;
        where.remove_prefix(std::min(where.size(), place.size() + 2)); // and ": "
        return failedOperation(entry.inner[i], where);
    }
    return entry;
}

/// Reads the object that begins here and appends it.
Result<void> readEntry(Splitter& splitter, Script& script)
{
    const int line = splitter.line();
    if (splitter.peek() != '{')
        return syntaxError(line, std::string("an operation is an object {\"op\": ...}, but this begins with '") +
                                     splitter.peek() + "'");
    const std::string_view text = splitter.object();
    if (text.empty()) return syntaxError(line, "the operation that begins here has no end; a '}' or a '\"' is missing");
    const ParsedJson json = parseJson(text);
    if (json.flaw) {
        const int lines = lineOf(text, json.flaw->offset) - 1;
        if (!json.flaw->isJson) return syntaxError(line + lines, "not valid JSON: " + json.flaw->message);
        return syntaxError(line + lines, (json.flaw->pointer.empty() ? "the operation" : json.flaw->pointer) + " " +
                                             json.flaw->message);
    }
    script.entries.push_back({json.document.object(), line, static_cast<int>(script.entries.size()) + 1, {}});
    readInner(text, script.entries.back());
    return {};
}

/// "30 degrees past its limit" at one frame and "40 degrees past its limit" at the next are one finding.
std::string withoutNumbers(std::string text)
{
    std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
    return text;
}

/// The operations of one script as one transaction, with the messages of them all: of those that edit, each finding
/// about an object where it came first.
class ScriptRun
{
public:
    ScriptRun(Document& document, OnPending onPending) : m_transaction(document), m_onPending(onPending) {}

    void keep(const std::string& script) { m_transaction.keep(script, "the script that is run"); }

    Result<void> carryOut(const Script::Entry& entry)
    {
        const Operation* known = findOperation(entry.operation);
        if (known != nullptr && known->writesFile)
            if (const auto settled = settlePending("this file is written"); !settled) return settled;
        if (const auto done = m_transaction.carryOut(entry.operation); !done)
            return done.error().within(placeOf(failedOperation(entry, done.error().where)));
        const std::string place = placeOf(entry);
        collectMessages(place, known != nullptr && !known->isUndoStep);
        const bool isPending = !m_transaction.draft().edit.pending.empty();
        if (!isPending)
            m_posedAt.clear();
        else if (m_posedAt.empty())
            m_posedAt = place;
        return {};
    }

    /// Saves to a file unless `path` is empty, and commits.
    Result<void> finish(const std::string& path)
    {
        if (const auto settled = settlePending("the script ends"); !settled) return settled;
        if (!path.empty())
            if (const auto saved = m_transaction.carryOut(ops::save(path)); !saved) return saved;
        m_transaction.draft().messages = std::move(m_messages);
        return m_transaction.commit();
    }

private:
    Result<void> settlePending(const std::string& when)
    {
        const Document& document = m_transaction.draft();
        if (document.edit.pending.empty() || m_onPending == OnPending::Leave) return {};
        const std::string place = m_posedAt.empty() ? std::string("the document") : m_posedAt;
        if (m_onPending == OnPending::Fail)
            return Error{ErrorCode::InvalidArgument,
                         "its pose at frame " + std::to_string(document.edit.frame) + " is not keyed when " + when +
                             ", so it would be lost: " + channelNames(document.scene(), document.edit.pending) +
                             "; key it in the script, or choose --pending key or --pending discard",
                         place};
        const auto settled = m_transaction.carryOut(m_onPending == OnPending::Key ? ops::keyPending()
                                                                                  : ops::discardPending());
        if (!settled) return settled.error().within(place);
        collectMessages(place);
        m_posedAt.clear();
        return {};
    }

    /// `areAnswers`: of an operation that changes nothing and says what was asked of it, each time and in full.
    void collectMessages(const std::string& place, bool areAnswers = false)
    {
        for (Issue& message : m_transaction.draft().messages) {
            const bool isNew = m_said.insert({message.object, withoutNumbers(message.line())}).second;
            if (!isNew && !areAnswers) continue;
            message.where = message.where.empty() ? place : place + ": " + message.where;
            m_messages.push_back(std::move(message));
        }
    }

    Transaction m_transaction;
    OnPending m_onPending;
    Issues m_messages;
    std::set<std::pair<ObjectId, std::string>> m_said; ///< findings about objects, but for their numbers
    std::string m_posedAt; ///< place of the operation since which values have been pending; empty = none are
};

} // namespace

Result<Script> parseScript(std::string_view text)
{
    Script script;
    Splitter splitter(text);
    splitter.skipSpace();
    const bool isArray = splitter.peek() == '[';
    if (isArray) splitter.step();
    bool needsComma = false;
    for (;;) {
        splitter.skipSpace();
        if (splitter.isAtEnd()) {
            if (isArray) return syntaxError(splitter.line(), "the list of operations has no end; a ']' is missing");
            return script;
        }
        if (isArray && splitter.peek() == ']' && (script.entries.empty() || needsComma)) break;
        if (isArray && needsComma) {
            if (splitter.peek() != ',') return syntaxError(splitter.line(), "a ',' is missing between operations");
            splitter.step();
            splitter.skipSpace();
        }
        const int line = splitter.line();
        if (!isArray && needsComma && !script.entries.empty() && splitter.line() == script.entries.back().line)
            return syntaxError(line, "two operations on one line; put each on its own line, or all in a list [ , ]");
        if (const auto read = readEntry(splitter, script); !read) return read.error();
        needsComma = true;
    }
    splitter.step();
    splitter.skipSpace();
    if (!splitter.isAtEnd()) return syntaxError(splitter.line(), "there is something after the list of operations");
    return script;
}

Result<void> runScript(Document& document, const Script& script, const RunOptions& options)
{
    ScriptRun run(document, options.onPending);
    run.keep(options.file);
    int done = 0;
    for (const Script::Entry& entry : script.entries) {
        if (document.services.cancelled != nullptr && document.services.cancelled->load())
            return Error{ErrorCode::Cancelled, "cancelled", placeOf(entry)};
        if (const auto carriedOut = run.carryOut(entry); !carriedOut) return carriedOut;
        if (options.progress) options.progress(++done, static_cast<int>(script.entries.size()));
    }
    return run.finish(options.saveTo);
}

std::string scriptToText(const std::vector<QJsonObject>& operations)
{
    std::string text;
    for (const QJsonObject& operation : operations) text += operationToJson(operation) + "\n";
    return text;
}

} // namespace tendon
