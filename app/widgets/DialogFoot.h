#pragma once

#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <initializer_list>

namespace tendon::editor {

/// The foot of a dialog that works beside the window: what there is to say, named NAME.summary after the dialog, then
/// its own buttons and Close. Return is for the rows of its list, so no button is the default.
class DialogFoot : public QHBoxLayout
{
    Q_DECLARE_TR_FUNCTIONS(DialogFoot)
public:
    DialogFoot(QDialog& dialog, QLabel* summary, std::initializer_list<QPushButton*> buttons = {})
    {
        summary->setObjectName(dialog.objectName() + QStringLiteral(".summary"));
        summary->setWordWrap(true);
        summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        addWidget(summary, 1);
        auto* close = new QPushButton(tr("Close"));
        close->setObjectName(dialog.objectName() + QStringLiteral(".close"));
        QObject::connect(close, &QPushButton::clicked, &dialog, &QDialog::close);
        for (QPushButton* button : buttons) addButton(button);
        addButton(close);
    }

private:
    void addButton(QPushButton* button)
    {
        button->setAutoDefault(false);
        addWidget(button);
    }
};

} // namespace tendon::editor
