#include "app/widgets/LayersPanel.h"

#include "app/editor/Theme.h"
#include "app/widgets/InspectorTarget.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/OperationFields.h"
#include "core/runtime/PoseSampler.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QRadioButton>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

struct LayerCounts
{
    std::size_t keys = 0, corrections = 0;
};

QString keysText(std::size_t count)
{
    return count == 1 ? LayersPanel::tr("1 key") : LayersPanel::tr("%n keys", nullptr, static_cast<int>(count));
}

LayerCounts countsOf(const Clip& clip)
{
    LayerCounts counts;
    for (const auto& [channel, keys] : clip.channels)
        if (channel != clip.correctionsWeight())
            (channel.layer == Layer::Keys ? counts.keys : counts.corrections) += keys->size();
    return counts;
}

} // namespace

LayersPanel::LayersPanel(Editor& editor, QWidget* parent) : Section(tr("Layers"), parent), m_editor(editor)
{
    setObjectName(QStringLiteral("layers"));
    EditorDocument& document = editor.document();
    m_on = checkField(document, [](bool on) { return QJsonObject{{"op", "setCorrections"}, {"on", on}}; });
    m_on->setObjectName(QStringLiteral("layers.on"));
    m_on->setToolTip(tr("Show the corrections, or the clip without them"));
    m_on->setAccessibleName(tr("Show corrections"));
    m_corrections = new QRadioButton(tr("Corrections"));
    m_corrections->setToolTip(
        tr("Edit the corrections: new keys go on top of the clip's own keys, which stay as they are"));
    m_corrections->setObjectName(QStringLiteral("layers.corrections"));
    m_correctionCount = new QLabel;
    m_correctionCount->setObjectName(QStringLiteral("layers.correctionCount"));
    m_keys = new QRadioButton(tr("Keys"));
    m_keys->setToolTip(tr("Edit the clip's own keys"));
    m_keys->setObjectName(QStringLiteral("layers.keys"));
    m_keyCount = new QLabel;
    m_keyCount->setObjectName(QStringLiteral("layers.keyCount"));
    const Theme& theme = Theme::instance();
    const auto row = [&](QCheckBox* check, QRadioButton* choice, QLabel* count) {
        auto* line = new QHBoxLayout;
        line->setSpacing(theme.px(6));
        if (check != nullptr) line->addWidget(check);
        line->addWidget(choice);
        count->setProperty("role", "hint");
        count->setWordWrap(true);
        line->addWidget(count, 1);
        body()->addLayout(line);
    };
    row(m_on, m_corrections, m_correctionCount);
    addWeight();
    row(nullptr, m_keys, m_keyCount);
    const auto choose = [this](Layer layer) {
        const std::string_view name = layerName(layer);
        (void)m_editor.document().apply(
            {{"op", "editLayer"}, {"layer", QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))}});
        refresh();
    };
    connect(m_corrections, &QRadioButton::clicked, this, [choose] { choose(Layer::Corrections); });
    connect(m_keys, &QRadioButton::clicked, this, [choose] { choose(Layer::Keys); });
    setOpen(false);
    refresh();
}

void LayersPanel::addWeight()
{
    m_weight = numberField(m_editor.document(),
                           {.decimals = 2, .step = 0.01, .minimum = 0, .maximum = 1, .showsFill = true},
                           [](double value) {
                               return QJsonObject{{"op", "setCorrections"}, {"weight", value}};
                           });
    m_weight->setObjectName(QStringLiteral("layers.weight"));
    m_weight->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_weight, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& at) { showWeightMenu(m_weight->mapToGlobal(at)); });
    m_weightKey = new KeyDiamond;
    m_weightKey->setObjectName(QStringLiteral("layers.weight.key"));
    m_weightKey->setAccessibleName(tr("Key of the weight"));
    connect(m_weightKey, &QAbstractButton::clicked, this, &LayersPanel::keyOrUnkey);
    addRow(body(), tr("Weight"), {m_weight, m_weightKey}, fieldHelp("setCorrections", "weight"));
}

Keyed LayersPanel::keyedWeight() const
{
    const Clip* clip = m_editor.document().clip();
    return clip == nullptr ? Keyed::No : keyedState(m_editor, clip->id.value, {Property::Weight});
}

void LayersPanel::keyOrUnkey()
{
    const Clip* clip = m_editor.document().clip();
    if (clip == nullptr) return;
    (void)m_editor.document().apply({{"op", keyedWeight() == Keyed::Here ? "deleteKey" : "key"},
                                     {"target", QString::fromStdString(clip->name)},
                                     {"channels", QJsonArray{"weight"}},
                                     {"frame", m_editor.shownFrame()}});
}

void LayersPanel::showWeightMenu(const QPoint& globalPosition)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("layers.menu"));
    const bool isHere = keyedWeight() == Keyed::Here;
    menu->addAction(isHere ? tr("Delete key") : tr("Key"), this, &LayersPanel::keyOrUnkey);
    menu->addAction(tr("Reset"), this, [this] {
        (void)m_editor.document().apply({{"op", "setCorrections"}, {"weight", 1}});
    });
    menu->popup(globalPosition);
}

void LayersPanel::refresh()
{
    const EditorDocument& document = m_editor.document();
    const Clip* clip = document.clip();
    setVisible(clip != nullptr);
    if (clip == nullptr) return;
    const LayerCounts counts = countsOf(*clip);
    const bool isEdited = document.edit().layer == Layer::Corrections;
    m_corrections->setChecked(isEdited);
    m_keys->setChecked(!isEdited);
    showValue(m_on, clip->hasCorrectionsOn);
    const int frame = m_editor.shownFrame();
    const PendingValues none;
    const PendingValues& pending = frame == document.edit().frame ? document.edit().pending : none;
    showValue(m_weight, sampleChannel(document.scene(), clip, pending, clip->correctionsWeight(),
                                      document.scene().fps.timeOf(frame))[0]);
    m_weight->setKeyed(keyedWeight());
    m_weightKey->setKeyed(keyedWeight());
    m_weightKey->setToolTip(keyedWeight() == Keyed::Here ? tr("Delete the key of this frame")
                                                         : tr("Key the weight at this frame"));
    m_correctionCount->setText(counts.corrections > 0 ? keysText(counts.corrections)
                               : isEdited             ? tr("no keys yet: pose and key")
                                                      : tr("no keys yet: choose it, pose and key"));
    m_keyCount->setText(keysText(counts.keys));
    setHint(isEdited ? tr("keys go to the corrections") : QString());
    if (!m_isOpened && (isEdited || counts.corrections > 0)) {
        m_isOpened = true;
        setOpen(true);
    }
}

} // namespace tendon::editor
