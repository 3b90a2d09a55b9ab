#include "core/document/Script.h"

#include "core/document/MakeOperation.h"
#include "core/document/Operation.h"
#include "core/document/Transaction.h"

#include <QJsonDocument>
#include <QJsonParseError>

#include <algorithm>

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
    explicit Splitter(std::string_view text) : m_text(text)
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

    /// The text of one object, from its opening brace to the closing one; empty when it does not close.
    std::string_view object()
    {
        const std::size_t begin = m_at;
        int depth = 0;
        bool isInString = false;
        while (!isAtEnd()) {
            const char c = peek();
            if (isInString) {
                if (c == '\\' && m_at + 1 < m_text.size())
                    step();
                else if (c == '"')
                    isInString = false;
            } else if (c == '"') {
                isInString = true;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if (c == '}' || c == ']') {
                --depth;
            }
            step();
            if (depth == 0) return m_text.substr(begin, m_at - begin);
        }
        return {};
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
};

Error syntaxError(int line, const std::string& message)
{
    return {ErrorCode::InvalidArgument, message, lineText(line)};
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
    QJsonParseError problem;
    const QJsonDocument json = QJsonDocument::fromJson(QByteArray(text.data(), static_cast<qsizetype>(text.size())),
                                                       &problem);
    if (problem.error != QJsonParseError::NoError) {
        const auto before = text.substr(
            0, static_cast<std::size_t>(std::clamp<int>(problem.offset, 0, static_cast<int>(text.size()))));
        const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        return syntaxError(line + lines, "not valid JSON: " + problem.errorString().toStdString());
    }
    script.entries.push_back({json.object(), line, static_cast<int>(script.entries.size()) + 1});
    return {};
}

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
    Transaction transaction(document);
    Issues messages;
    int done = 0;
    for (const Script::Entry& entry : script.entries) {
        if (document.services.cancelled != nullptr && document.services.cancelled->load())
            return Error{ErrorCode::Cancelled, "cancelled", placeOf(entry)};
        if (const auto carriedOut = transaction.carryOut(entry.operation); !carriedOut)
            return carriedOut.error().within(placeOf(entry));
        for (Issue& message : transaction.draft().messages) {
            message.where = message.where.empty() ? placeOf(entry) : placeOf(entry) + ": " + message.where;
            messages.push_back(std::move(message));
        }
        if (options.progress) options.progress(++done, static_cast<int>(script.entries.size()));
    }
    if (!options.saveTo.empty())
        if (const auto saved = transaction.carryOut(ops::save(options.saveTo)); !saved) return saved;
    transaction.draft().messages = std::move(messages);
    return transaction.commit();
}

std::string scriptToText(const std::vector<QJsonObject>& operations)
{
    std::string text;
    for (const QJsonObject& operation : operations) text += operationToJson(operation) + "\n";
    return text;
}

} // namespace tendon
