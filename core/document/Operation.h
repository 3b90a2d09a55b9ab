#pragma once

#include "core/base/Result.h"
#include "core/document/Document.h"

#include <QJsonObject>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

class Arguments;
class FileStage;
struct Draft;

/// One field of an operation. The table of these reads the JSON, checks it, gives help, and makes the page in the
/// manual.
struct Field
{
    enum class Type {
        String,
        Joint, ///< name or path of a joint
        JointOrNull,
        Handle, ///< name of a handle
        Target, ///< a joint or a handle
        Names,  ///< ["a", "b"]
        Bool,
        Integer,
        Number,
        NumberOrNull,
        NumberOrText,
        Numbers, ///< [1, 2, ...]
        NumberOrNumbers,
        Vector,       ///< [x, y, z]
        VectorOrNull, ///< or the word in `choices`
        Rotation,     ///< quaternion [x, y, z, w], or angles [x, y, z] in degrees
        Points,       ///< [[x, y, z], ...]
        Choice,       ///< one of `choices`
        Object,
        ObjectOrNull,
    };

    std::string_view name;
    Type type = Type::String;
    bool isRequired = false;
    std::string_view doc;
    std::string_view choices = {}; ///< of a Choice: "x|y|z"
};

inline constexpr bool kRequired = true, kOptional = false;
inline constexpr bool kTakesTime = true;

/// One of the things that can be done to a document, by name. All edits of the editor, the command line and the tests
/// are operations. Just one of the two functions is set.
struct Operation
{
    std::string_view name; ///< "addJoint"
    std::span<const Field> fields;
    bool isUndoStep = true; ///< false: changes the state of the editing, not the document
    std::string_view doc;
    /// Makes the next scene and editing state out of a draft that begins as the document's own. The draft is thrown
    /// away on an error. `arguments` has been checked against `fields`.
    Result<void> (*edit)(Draft& draft, const Arguments& arguments) = nullptr;
    /// Works on history and files. Files are staged: they come into being when the whole of what runs has succeeded.
    Result<void> (*act)(Document& document, const Arguments& arguments, FileStage& stage) = nullptr;
    /// It solves, bakes or reads files: as quick as solvers and files are, so that a window has it done by another
    /// thread.
    bool takesTime = false;
    /// Of an operation that takes time: true for the uses that write values only. Null: all take time.
    bool (*isQuick)(const QJsonObject& operation) = nullptr;
};

/// Whether this use of an operation takes time.
[[nodiscard]] inline bool takesTime(const Operation& operation, const QJsonObject& json)
{
    return operation.takesTime && (operation.isQuick == nullptr || !operation.isQuick(json));
}

/// Every operation there is, in the order of the manual.
[[nodiscard]] std::span<const Operation> operations();
[[nodiscard]] const Operation* findOperation(std::string_view name);

/// Carries out one operation given as {"op": name, field: value, ...}. Unknown operation, unknown or missing field,
/// wrong type, number that is not finite: an error "op: field: what is wrong", nothing changed, no file written.
[[nodiscard]] Result<void> carryOut(Document& document, const QJsonObject& operation);

/// The same as a part of more: files stay in `stage`.
[[nodiscard]] Result<void> carryOut(Document& document, const QJsonObject& operation, FileStage& stage);

/// An operation on one line, "op" first and its fields in the table's order, numbers with all their digits: what the
/// script panel shows and saves. Carrying out what was recorded gives the same document to the last bit.
[[nodiscard]] std::string operationToJson(const QJsonObject& operation);

/// The manual's page about all operations, made from the table.
[[nodiscard]] std::string operationsAsMarkdown();

} // namespace tendon
