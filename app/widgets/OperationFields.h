#pragma once

#include "app/editor/EditorDocument.h"
#include "app/widgets/NumberField.h"

#include <QCheckBox>
#include <QComboBox>

#include <functional>

namespace tendon::editor {

inline constexpr double kCm = 100;                            ///< centimetres per metre; fields show centimetres
inline constexpr const char* kAxisNames[3] = {"x", "y", "z"}; ///< as operations name them

// Fields whose edits are operations: each makes the operation from its value and takes its help from the table of
// operations. A drag of a number is one gesture and one undo step.

/// The help of an operation's field, from the table of operations.
[[nodiscard]] QString fieldHelp(const char* operation, const char* field);

/// A function of a double serves where an edit changes one object; one that changes several takes the edit, and asks it
/// for the value of each.
using MakeOperation = std::function<QJsonObject(const NumberEdit& edit)>;

/// Previews a value without an operation; empty = end of the preview.
using Preview = std::function<void(std::optional<double> value)>;

/// `preview`: called during a Ctrl-drag; unset = no preview. `makeTyped`: makes the operation of a typed value; unset =
/// `make`, which also makes that of a dragged one.
[[nodiscard]] NumberField* numberField(EditorDocument& document, NumberField::Format format, MakeOperation make,
                                       Preview preview = {}, MakeOperation makeTyped = {});

/// A check box, and a combo box of (text, value) items whose `make` gets the chosen value. If the operation is refused,
/// the box shows the value of before.
[[nodiscard]] QCheckBox* checkField(EditorDocument& document, std::function<QJsonObject(bool on)> make);
[[nodiscard]] QComboBox* choiceField(EditorDocument& document, std::function<QJsonObject(const QString& value)> make);

/// Show a value without carrying out an operation. `isMixed`: several objects are edited, whose values differ. A choice
/// that has no such item shows the value itself.
void showValue(NumberField* field, double value, bool isMixed = false);
void showValue(QComboBox* box, const QString& value, bool isMixed = false);
void showValue(QCheckBox* box, bool isOn, bool isMixed = false);

} // namespace tendon::editor
