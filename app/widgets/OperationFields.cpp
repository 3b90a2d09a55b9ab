#include "app/widgets/OperationFields.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "core/document/Operation.h"

#include <QSignalBlocker>

namespace tendon::editor {
namespace {

// Properties of a box: what it returns to if an edit is refused.
constexpr const char* kShown = "shown";
constexpr const char* kShownMixed = "shownMixed";

} // namespace

QString fieldHelp(const char* operation, const char* field)
{
    const Operation* known = findOperation(operation);
    if (known == nullptr) return {};
    for (const Field& candidate : known->fields)
        if (candidate.name == field)
            return QString::fromUtf8(candidate.doc.data(), static_cast<qsizetype>(candidate.doc.size()));
    return {};
}

NumberField* numberField(EditorDocument& document, NumberField::Format format, MakeOperation make, Preview preview,
                         MakeOperation makeTyped)
{
    if (!makeTyped) makeTyped = make;
    format.previewsWithCtrl = static_cast<bool>(preview);
    auto* field = new NumberField(std::move(format));
    const auto isPreview = std::make_shared<bool>(false);
    QObject::connect(field, &NumberField::dragBegun, &document, [&document, isPreview](bool previews) {
        *isPreview = previews;
        if (!previews) document.gesture().begin();
    });
    QObject::connect(field, &NumberField::dragged, &document, [&document, isPreview, make, preview](double value) {
        if (*isPreview)
            preview(value);
        else
            (void)document.gesture().update(make(value));
    });
    QObject::connect(field, &NumberField::dragEnded, &document,
                     [&document, field, isPreview, make, preview](bool isKept) {
                         if (*isPreview) {
                             preview(std::nullopt);
                             if (isKept) (void)document.apply(make(field->value()));
                         } else if (isKept)
                             document.gesture().finish();
                         else
                             document.gesture().cancel();
                     });
    QObject::connect(field, &NumberField::entered, &document,
                     [&document, makeTyped](const NumberEdit& edit) { (void)document.apply(makeTyped(edit)); });
    return field;
}

QCheckBox* checkField(EditorDocument& document, std::function<QJsonObject(bool)> make)
{
    auto* box = new QCheckBox;
    QObject::connect(box, &QCheckBox::clicked, &document, [&document, box, make](bool isOn) {
        if (!document.apply(make(isOn)))
            showValue(box, box->property(kShown).toBool(), box->property(kShownMixed).toBool());
    });
    return box;
}

QComboBox* choiceField(EditorDocument& document, std::function<QJsonObject(const QString&)> make)
{
    auto* box = new ChoiceBox;
    box->setMinimumWidth(Theme::instance().px(60));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    QObject::connect(box, &QComboBox::activated, &document, [&document, box, make](int index) {
        if (!document.apply(make(box->itemData(index).toString())))
            showValue(box, box->property(kShown).toString(), box->property(kShownMixed).toBool());
    });
    return box;
}

void showValue(NumberField* field, double value, bool isMixed) { field->setValue(value, isMixed); }

void showValue(QComboBox* box, const QString& value, bool isMixed)
{
    const QSignalBlocker blocker(box);
    box->setPlaceholderText(isMixed ? NumberField::mixedText() : value);
    box->setCurrentIndex(isMixed ? -1 : box->findData(value));
    box->setProperty(kShown, value);
    box->setProperty(kShownMixed, isMixed);
}

void showValue(QCheckBox* box, bool isOn, bool isMixed)
{
    const QSignalBlocker blocker(box);
    box->setTristate(isMixed); // a click leads from "partly" to "on"
    box->setCheckState(isMixed ? Qt::PartiallyChecked : isOn ? Qt::Checked : Qt::Unchecked);
    box->setProperty(kShown, isOn);
    box->setProperty(kShownMixed, isMixed);
}

} // namespace tendon::editor
