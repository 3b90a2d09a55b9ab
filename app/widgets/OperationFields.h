#pragma once

#include "app/editor/EditorDocument.h"
#include "app/widgets/NumberField.h"

#include <QCheckBox>
#include <QComboBox>

#include <functional>

namespace tendon::editor {

inline constexpr double kCm = 100;                            ///< centimetres, which fields show, in a metre
inline constexpr const char* kAxisNames[3] = {"x", "y", "z"}; ///< as operations have them

// Fields whose edits are operations: each knows how to make the operation from its value, and takes its help from the
// operation's table. A drag of a number is one gesture, so one undo step.

/// What the table says about a field of an operation: "IK blend: 0 FK ... 1 IK. A channel  (setHandle.blend)".
[[nodiscard]] QString fieldHelp(const char* operation, const char* field);

using MakeOperation = std::function<QJsonObject(double value)>;

/// Shows a value for as long as the mouse is down, without an operation; none = no more.
using Preview = std::function<void(std::optional<double> value)>;

/// `preview`: what Ctrl-dragging does; unset = there is no preview.
[[nodiscard]] NumberField* numberField(EditorDocument& document, NumberField::Format format, MakeOperation make,
                                       Preview preview = {});
[[nodiscard]] QCheckBox* checkField(EditorDocument& document, std::function<QJsonObject(bool on)> make);

/// A combo box of (text, value); `make` gets the chosen value.
[[nodiscard]] QComboBox* choiceField(EditorDocument& document, std::function<QJsonObject(const QString& value)> make);

/// Shows a choice without asking for an operation.
void showChoice(QComboBox* box, const QString& value);
void showCheck(QCheckBox* box, bool isOn);

} // namespace tendon::editor
