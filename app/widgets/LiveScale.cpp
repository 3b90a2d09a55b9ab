#include "app/widgets/LiveScale.h"

#include "app/widgets/FitOnScreen.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QDialog>
#include <QFormLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLayout>
#include <QMainWindow>
#include <QTabBar>
#include <QTreeView>
#include <QWidget>

#include <cmath>
#include <utility>
#include <vector>

namespace tendon::editor {
namespace {

/// What was n pixels at 100 % and rounded to whole ones at a scale, at another scale.
class Factor
{
public:
    Factor(double from, double to) : m_from(from), m_to(to) {}
    [[nodiscard]] int operator()(int pixels) const
    {
        return static_cast<int>(std::lround(std::round(pixels / m_from) * m_to));
    }
    [[nodiscard]] QSize operator()(const QSize& size) const { return {(*this)(size.width()), (*this)(size.height())}; }

private:
    double m_from, m_to;
};

void scaleSpacer(QSpacerItem& spacer, const Factor& scaled)
{
    const QSizePolicy policy = spacer.sizePolicy();
    const QSize size = spacer.sizeHint();
    spacer.changeSize(scaled(size.width()), scaled(size.height()), policy.horizontalPolicy(), policy.verticalPolicy());
}

void scaleLayout(QLayout& layout, const Factor& scaled)
{
    const QMargins margins = layout.contentsMargins();
    layout.setContentsMargins(scaled(margins.left()), scaled(margins.top()), scaled(margins.right()),
                              scaled(margins.bottom()));
    if (auto* grid = qobject_cast<QGridLayout*>(&layout)) {
        grid->setHorizontalSpacing(scaled(grid->horizontalSpacing()));
        grid->setVerticalSpacing(scaled(grid->verticalSpacing()));
        for (int i = 0; i < grid->columnCount(); ++i)
            grid->setColumnMinimumWidth(i, scaled(grid->columnMinimumWidth(i)));
        for (int i = 0; i < grid->rowCount(); ++i) grid->setRowMinimumHeight(i, scaled(grid->rowMinimumHeight(i)));
    } else if (auto* form = qobject_cast<QFormLayout*>(&layout)) {
        form->setHorizontalSpacing(scaled(form->horizontalSpacing()));
        form->setVerticalSpacing(scaled(form->verticalSpacing()));
    } else if (layout.spacing() >= 0) {
        layout.setSpacing(scaled(layout.spacing()));
    }
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        if (item->spacerItem() != nullptr) scaleSpacer(*item->spacerItem(), scaled);
        if (item->layout() != nullptr) scaleLayout(*item->layout(), scaled);
    }
    layout.invalidate();
}

/// Whether a widget has its bounds from its layout, as windows and docks do: no one has set them, and the layout makes
/// them anew. Set from outside, they would stay.
bool hasBoundsOfLayout(const QWidget& widget)
{
    const QLayout* layout = widget.layout();
    if (layout == nullptr || layout->sizeConstraint() == QLayout::SetNoConstraint) return false;
    if (layout->sizeConstraint() != QLayout::SetDefaultConstraint) return true;
    return widget.isWindow() &&
           (qobject_cast<const QMainWindow*>(&widget) != nullptr || widget.minimumSize() == layout->totalMinimumSize());
}

void scaleBounds(QWidget& widget, const Factor& scaled)
{
    if (hasBoundsOfLayout(widget)) return;
    const QSize least = widget.minimumSize(), most = widget.maximumSize();
    const auto bound = [&](int pixels) { return pixels >= QWIDGETSIZE_MAX ? pixels : scaled(pixels); };
    const QSize wider(bound(most.width()), bound(most.height())), narrower = scaled(least);
    widget.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX); // in between, the least may be more than the most
    widget.setMinimumSize(narrower);
    widget.setMaximumSize(wider);
}

void scaleIcons(QWidget& widget, const Factor& scaled)
{
    if (auto* button = qobject_cast<QAbstractButton*>(&widget)) button->setIconSize(scaled(button->iconSize()));
    if (auto* tree = qobject_cast<QTreeView*>(&widget)) tree->setIndentation(scaled(tree->indentation()));
    if (auto* header = qobject_cast<QHeaderView*>(&widget))
        for (int i = 0; i < header->count(); ++i)
            if (header->sectionResizeMode(i) != QHeaderView::Stretch &&
                !(header->stretchLastSection() && header->visualIndex(i) == header->count() - 1))
                header->resizeSection(i, scaled(header->sectionSize(i)));
}

void scaleFont(QWidget& widget, const Factor& scaled)
{
    if (!widget.testAttribute(Qt::WA_SetFont)) return; // it has that of its parent or of the program
    QFont font = widget.font();
    if (font.pixelSize() <= 0) return;
    font.setPixelSize(scaled(font.pixelSize()));
    widget.setFont(font);
}

} // namespace

void scaleWidgets(double from, double to)
{
    if (from == to) return;
    const Factor scaled(from, to);
    std::vector<std::pair<QWidget*, QSize>> dialogs;
    for (QWidget* widget : QApplication::allWidgets()) {
        scaleBounds(*widget, scaled);
        scaleIcons(*widget, scaled);
        scaleFont(*widget, scaled);
        const QMargins margins = widget->contentsMargins();
        if (widget->layout() == nullptr && !margins.isNull())
            widget->setContentsMargins(scaled(margins.left()), scaled(margins.top()), scaled(margins.right()),
                                       scaled(margins.bottom()));
        if (widget->layout() != nullptr) scaleLayout(*widget->layout(), scaled);
        if (qobject_cast<QDialog*>(widget) != nullptr && widget->isVisible())
            dialogs.emplace_back(widget, widget->size());
    }
    for (const auto& [dialog, size] : dialogs) { // a window does not grow with what is in it
        dialog->resize(scaled(size));
        keepOnScreen(*dialog);
    }
}

} // namespace tendon::editor
