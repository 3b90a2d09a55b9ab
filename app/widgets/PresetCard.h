#pragma once

#include "app/widgets/ChoiceCard.h"
#include "app/widgets/CommandTable.h"

namespace tendon::editor {

/// A key preset to choose: its name and its most important keys, from the command table.
class PresetCard : public ChoiceCard
{
    Q_OBJECT
public:
    PresetCard(const CommandTable& commands, KeyPreset preset, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

private:
    void paintEvent(QPaintEvent* event) override;

    QList<std::pair<QString, QStringList>> m_rows; ///< label, keys
};

} // namespace tendon::editor
