#pragma once

#include "core/base/Result.h"
#include "core/document/Document.h"

#include <QJsonObject>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// One field of an operation. The table of these reads the JSON, checks it, gives help, and makes the page in the manual.
struct Field
{
    enum class Type { String, Number, Integer, Bool, Vector3, Quaternion, Numbers, Names, Object, NameOrNull };

    std::string_view name;
    Type type = Type::String;
    bool isRequired = false;
    std::string_view doc;
};

/// One of the things that can be done to a document, by name. All edits of the editor, the command line and the tests are
/// operations.
struct Operation
{
    std::string_view name;              ///< "addJoint"
    std::span<const Field> fields;
    bool isUndoStep = true;             ///< false: changes the state of the editing, not the document
    std::string_view doc;
    /// Carries it out. `arguments` has been checked against `fields`. On an error the document is as before.
    Result<void> (*apply)(Document& document, const QJsonObject& arguments) = nullptr;
};

/// Every operation there is, in the order of the manual.
[[nodiscard]] std::span<const Operation> operations();
[[nodiscard]] const Operation* findOperation(std::string_view name);

/// Carries out one operation given as {"op": name, field: value, ...}. Unknown operation, unknown or missing field, wrong
/// type, number that is not finite: an error that names it, nothing changed.
[[nodiscard]] Result<void> carryOut(Document& document, const QJsonObject& operation);

} // namespace tendon
