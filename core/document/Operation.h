#pragma once

#include "core/base/Result.h"

#include <QJsonObject>

#include <span>
#include <string>
#include <string_view>

namespace tendon {

class Arguments;
class FileStage;
struct Document;
struct Draft;

/// One field of an operation. From these the JSON is checked, and help and the manual's page are made.
struct Field
{
    enum class Type {
        String,
        Joint, ///< name or path of a joint
        JointOrNull,
        Handle, ///< name of a handle
        Target, ///< a joint or a handle
        TargetOrNull,
        Names, ///< ["a", "b"]
        Bool,
        Integer,
        Frame, ///< a whole number, or one that is near enough: wholeFrame()
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
        Operations, ///< [{"op": ...}, ...], at least one
    };

    std::string_view name;
    Type type = Type::String;
    bool isRequired = false;
    std::string_view doc;
    std::string_view choices = {}; ///< of a Choice: "x|y|z"
};

inline constexpr bool kRequired = true, kOptional = false;
inline constexpr bool kTakesTime = true;
inline constexpr bool kOnlyLastMatters = true;
inline constexpr bool kWritesFile = true;
inline constexpr bool kMovesKeys = true;

/// One operation of the table. Every edit of the editor, the command line and the tests is one of these. Exactly one of
/// the two functions is set.
struct Operation
{
    std::string_view name; ///< "addJoint"
    std::span<const Field> fields;
    bool isUndoStep = true; ///< false: changes the state of the editing, or moves along the history, or writes files
    std::string_view doc;
    /// Changes a draft that starts as the document's scene and editing state. The draft is discarded on an error.
    /// `arguments` has been checked against `fields`. An operation that is no undo step leaves the scene alone.
    Result<void> (*edit)(Draft& draft, const Arguments& arguments) = nullptr;
    /// Works on the history or on files. Files are staged: they appear when the whole transaction has succeeded.
    Result<void> (*act)(Document& document, const Arguments& arguments, FileStage& stage) = nullptr;
    /// Solves, bakes or reads files, so a window has it prepared in another thread. See also takesTime().
    bool takesTime = false;
    /// Of an operation that takes time: true for the uses that only write values. Null: every use takes time.
    bool (*isQuick)(const QJsonObject& operation) = nullptr;
    /// Carried out several times in a row, the first and the last leave the same as all of them, so a recording omits
    /// those between.
    bool onlyLastMatters = false;
    /// Writes the document to a file, which does not hold the pending values.
    bool writesFile = false;
    /// Moves keys in time. In a group those beside each other are one edit, so that what moves together stays together.
    bool movesKeys = false;
};

/// All operations, in the order of the manual.
[[nodiscard]] std::span<const Operation> operations();
[[nodiscard]] const Operation* findOperation(std::string_view name);
[[nodiscard]] const Operation* findOperation(const QJsonObject& operation); ///< by its member "op"

/// "operations[2]": how an error of a group names the operation inside it.
[[nodiscard]] std::string placeInGroup(std::size_t index);

/// The error for people who have asked for no operation: without the names of operations, fields in words
/// ("orientation weight").
[[nodiscard]] Error inWords(Error error);

/// Whether an operation, or one of those in it, takes time.
[[nodiscard]] bool takesTime(const QJsonObject& operation);

/// Carries out one operation given as {"op": name, field: value, ...}. Error for an unknown operation or field, a
/// missing field, a wrong type or a number that is not finite: "op: field: what is wrong"; then nothing has changed and
/// no file was written.
[[nodiscard]] Result<void> carryOut(Document& document, const QJsonObject& operation);

/// The same as part of a transaction: files stay in `stage`. An operation on files or the history that fails may leave
/// `document` half-changed.
[[nodiscard]] Result<void> carryOut(Document& document, const QJsonObject& operation, FileStage& stage);

/// Carries out an operation that edits on a draft. Error: an operation on files or the history, and as above; discard
/// the draft then.
[[nodiscard]] Result<void> carryOut(Draft& draft, const QJsonObject& operation);

/// The same of several that move keys, as one edit: whatever follows what they move. `done` is how many have succeeded.
[[nodiscard]] Result<void> carryOutTogether(Draft& draft, std::span<const QJsonObject> operations, std::size_t& done);

/// An operation on one line, "op" first and its fields in the table's order, numbers with all their digits: what the
/// script panel shows and saves. Carrying out what was recorded gives the same document to the last bit.
[[nodiscard]] std::string operationToJson(const QJsonObject& operation);

/// The manual's page of all operations, made from the table.
[[nodiscard]] std::string operationsAsMarkdown();

} // namespace tendon
