#pragma once

#include <QAbstractButton>

namespace tendon::editor {

/// One of a few choices, as a card: a mark, a name and a line of explanation.
class ChoiceCard : public QAbstractButton
{
    Q_OBJECT
public:
    explicit ChoiceCard(const QString& name, const QString& note = {}, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] static int headHeight(); ///< height of the mark and the name

private:
    QString m_note;
};

} // namespace tendon::editor
