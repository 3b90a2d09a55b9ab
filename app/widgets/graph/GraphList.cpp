#include "app/widgets/graph/GraphList.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChannelTitles.h"
#include "app/widgets/NameRows.h"
#include "app/widgets/graph/GraphPaint.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"

#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>

namespace tendon::editor {
namespace {

QIcon lineIcon(const QColor& color)
{
    const Theme& theme = Theme::instance();
    constexpr int kFine = 2; // drawn larger, for screens of any scale
    QPixmap picture(theme.px(18) * kFine, theme.px(14) * kFine);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.fillRect(0, picture.height() / 2 - kFine, picture.width(), 2 * kFine, color);
    painter.end();
    picture.setDevicePixelRatio(kFine);
    return picture;
}

} // namespace

GraphList::GraphList(GraphState& state, QWidget* parent) : QTreeWidget(parent), m_state(state)
{
    setObjectName(QStringLiteral("graph.list"));
    setAccessibleName(tr("Curves"));
    setHeaderHidden(true);
    setColumnCount(2);
    setSelectionMode(ExtendedSelection);
    setFrameShape(NoFrame);
    setUniformRowHeights(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegateForColumn(0, new NameRows(this));
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
        if (!m_isRefreshing && column == 0) take(item);
    });
    connect(this, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (!m_isRefreshing) takeSelection();
    });
    connect(&state, &GraphState::changed, this, &GraphList::refresh);
    connect(&state.editor(), &Editor::shownFrameChanged, this, [this] { showValues(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_ids.clear();
        refresh();
    });
    refresh();
}

QTreeWidgetItem* GraphList::addRow(QTreeWidgetItem* parent, const QString& text, const CurveId* curve)
{
    auto* item = parent == nullptr ? new QTreeWidgetItem(this) : new QTreeWidgetItem(parent);
    item->setText(0, text);
    item->setToolTip(0, text);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setSizeHint(0, QSize(0, Theme::instance().size("height.row")));
    item->setCheckState(0, Qt::Checked);
    item->setExpanded(true);
    if (curve != nullptr) {
        item->setIcon(0, lineIcon(colorOf(*curve)));
        item->setForeground(1, Theme::instance().color("text.secondary"));
        m_rows.emplace_back(item, *curve);
    } else {
        item->setFirstColumnSpanned(true);
    }
    return item;
}

void GraphList::rebuild()
{
    clear();
    m_rows.clear();
    setIndentation(Theme::instance().px(12));
    const Scene& scene = m_state.editor().document().scene();
    QTreeWidgetItem *object = nullptr, *channel = nullptr;
    CurveId last;
    for (const CurveId& id : m_ids) {
        if (object == nullptr || id.channel.target != last.channel.target) {
            object = addRow(nullptr, ownerTitle(scene, id.channel.target), nullptr);
            channel = nullptr;
        }
        if (channel == nullptr || id.channel != last.channel) {
            const bool isSingle = componentCount(id.channel.property) == 1;
            channel = addRow(object, channelTitle(id.channel), isSingle ? &id : nullptr);
        }
        if (componentCount(id.channel.property) > 1) addRow(channel, componentTitle(id), &id);
        last = id;
    }
}

void GraphList::refresh()
{
    const QScopedValueRollback guard(m_isRefreshing, true);
    std::vector<CurveId> ids;
    for (const GraphCurve& curve : m_state.curves()) ids.push_back(curve.id);
    if (ids != m_ids) {
        m_ids = std::move(ids);
        rebuild();
    }
    for (const auto& [item, id] : m_rows) {
        item->setSelected(m_state.isActive(id));
        item->setCheckState(0, m_state.isHidden(id) ? Qt::Unchecked : Qt::Checked);
        for (QTreeWidgetItem* above = item->parent(); above != nullptr; above = above->parent()) {
            int shown = 0, hidden = 0;
            for (const CurveId& each : curvesOf(above)) ++(m_state.isHidden(each) ? hidden : shown);
            above->setCheckState(0, hidden == 0 ? Qt::Checked : shown == 0 ? Qt::Unchecked : Qt::PartiallyChecked);
        }
    }
    showValues();
}

void GraphList::showValues()
{
    const QScopedValueRollback guard(m_isRefreshing, true);
    const Time time = m_state.fps().timeOf(m_state.editor().shownFrame());
    for (const auto& [item, id] : m_rows) {
        const GraphCurve* curve = m_state.find(id);
        if (curve == nullptr) continue;
        const CurveUnit unit = unitOf(curve->property());
        const double value = sampleKeys(*curve->keys, curve->property(), time)[static_cast<std::size_t>(id.component)];
        item->setText(1, QString::number(value * unit.factor, 'f', unit.decimals) + QString::fromUtf8(unit.text));
    }
}

std::vector<CurveId> GraphList::curvesOf(const QTreeWidgetItem* item) const
{
    std::vector<CurveId> curves;
    for (const auto& [row, id] : m_rows)
        for (const QTreeWidgetItem* each = row; each != nullptr; each = each->parent())
            if (each == item) curves.push_back(id);
    return curves;
}

void GraphList::take(QTreeWidgetItem* item) { m_state.setHidden(curvesOf(item), item->checkState(0) == Qt::Unchecked); }

void GraphList::takeSelection()
{
    std::vector<CurveId> curves;
    for (const QTreeWidgetItem* item : selectedItems())
        for (const CurveId& id : curvesOf(item)) curves.push_back(id);
    m_state.setActive(curves);
}

} // namespace tendon::editor
