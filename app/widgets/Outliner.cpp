#include "app/widgets/Outliner.h"

#include "app/editor/ShortNames.h"
#include "app/editor/Theme.h"
#include "app/widgets/DriverWord.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Section.h"
#include "core/scene/Check.h"

#include <QDropEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QToolTip>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <set>
#include <utility>

namespace tendon::editor {
namespace {

enum Roles {
    KindRole = Qt::UserRole,
    ObjectRole,
    BadgesRole,
    WordRole,
    DrivesRole, // whether what the word says is on
    InChainRole,
    CountRole,
    HandlesRole,
    MeshRole,   ///< name of a mesh
    HiddenRole, ///< of Shown
    LockedRole,
    HintRole,   ///< words behind the name, not as bright
    PictureRole ///< the icon: its name and the token of its colour
};

/// Whether the view shows what a row stands for.
enum Shown { IsShown, IsHidden, IsBelowHidden };

/// The two columns at the right end of a row: its eye and its lock.
enum class RowMark { Eye, Lock };

/// Paints a row with its badges at the right end: icons, and IK or FK as text. Long names end before the badges.
class RowPainter : public QStyledItemDelegate
{
    static constexpr int kMark = 18; // [px] width of a column of marks

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// [px] from the right end of a row to the left of its badges.
    static int badgesWidth(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        const Theme& theme = Theme::instance();
        const QString word = index.data(WordRole).toString();
        const auto icons = static_cast<int>(index.data(BadgesRole).toStringList().size());
        return theme.px(8) + marksWidth(option, index) + icons * theme.px(14 + 4) +
               (word.isEmpty() ? 0 : driverBadgeWidth(word) + theme.px(6));
    }
    static bool hasMarks(const QModelIndex& index)
    {
        return index.data(ObjectRole).toULongLong() != 0 || !index.data(MeshRole).toString().isEmpty();
    }
    /// Marks are there where they are not as usual, and under the mouse.
    static int marksWidth(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        const bool isUsual = index.data(HiddenRole).toInt() != IsHidden && !index.data(LockedRole).toBool();
        if (!hasMarks(index) || (isUsual && !(option.state & QStyle::State_MouseOver))) return 0;
        return Theme::instance().px(2 * kMark);
    }
    static QRect markRect(const QRect& row, RowMark mark)
    {
        const Theme& theme = Theme::instance();
        const int width = theme.px(kMark), right = row.right() - theme.px(2) - (mark == RowMark::Lock ? 0 : width);
        return {right - width, row.top(), width, row.height()};
    }
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->text = shortened(option->text, option->fontMetrics, roomFor(*option, index));
    }
    static int roomFor(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        return option.rect.width() - option.decorationSize.width() - Theme::instance().px(12) -
               badgesWidth(option, index);
    }

    /// A name that is shown in part is whole in the tip.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override
    {
        const QString name = index.data().toString(), tip = index.data(Qt::ToolTipRole).toString();
        if (event->type() != QEvent::ToolTip || option.fontMetrics.horizontalAdvance(name) <= roomFor(option, index))
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        QToolTip::showText(event->globalPos(), tip.isEmpty() ? name : name + '\n' + tip, view);
        return true;
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), Theme::instance().size("height.row")};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = Theme::instance();
        QStyleOptionViewItem row = option;
        if (index.data(HiddenRole).toInt() != IsShown)
            row.palette.setColor(QPalette::Text, theme.color("text.disabled"));
        else if (index.data(InChainRole).toBool())
            row.palette.setColor(QPalette::Text, theme.color("bone.chain"));
        QStyledItemDelegate::paint(painter, row, index);
        painter->save();
        const int count = index.data(CountRole).toInt();
        const QString hint = count > 0 ? QString::number(count) : index.data(HintRole).toString();
        if (!hint.isEmpty()) {
            const QString name = index.data().toString();
            const int left = option.rect.left() + theme.px(16 + 20) + option.fontMetrics.horizontalAdvance(name);
            painter->setPen(theme.color("text.hint"));
            painter->drawText(QRect(left, option.rect.top(), option.rect.right() - left, option.rect.height()),
                              Qt::AlignVCenter, hint);
        }
        if (option.state & QStyle::State_Selected)
            painter->fillRect(QRect(0, option.rect.top(), theme.px(3), option.rect.height()),
                              theme.color("accent.fill"));
        paintMarks(*painter, option, index);
        int right = option.rect.right() - theme.px(8) - marksWidth(option, index);
        const QString word = index.data(WordRole).toString();
        if (!word.isEmpty())
            right = paintDriverBadge(*painter, word, index.data(DrivesRole).toBool(), right, option.rect.center().y()) -
                    theme.px(6);
        for (const QString& badge : index.data(BadgesRole).toStringList()) {
            const QStringList parts = badge.split('|');
            const int side = theme.px(14);
            painter->drawPixmap(right - side, option.rect.center().y() - side / 2,
                                iconPixmap(parts[0], parts[1], side, painter->device()->devicePixelRatioF()));
            right -= side + theme.px(4);
        }
        painter->restore();
    }

private:
    /// Where they are not as usual, or the mouse is over the row.
    static void paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        if (!hasMarks(index)) return;
        const Theme& theme = Theme::instance();
        const bool isOver = (option.state & QStyle::State_MouseOver) != 0;
        const int hidden = index.data(HiddenRole).toInt(), side = theme.px(14);
        const bool isLocked = index.data(LockedRole).toBool();
        const auto draw = [&](RowMark mark, const char* picture, bool isUsual) {
            if (isUsual && !isOver) return;
            const QRect place = markRect(option.rect, mark);
            painter.drawPixmap(place.center().x() - side / 2, place.center().y() - side / 2,
                               iconPixmap(picture, isUsual ? "text.hint" : "text.primary", side,
                                          painter.device()->devicePixelRatioF()));
        };
        painter.setOpacity(hidden == IsBelowHidden ? 0.5 : 1);
        draw(RowMark::Eye, hidden == IsShown ? "eye" : "eye-off", hidden != IsHidden);
        painter.setOpacity(1);
        if (index.data(MeshRole).toString().isEmpty()) draw(RowMark::Lock, isLocked ? "lock" : "unlock", !isLocked);
    }
};

SelectionItem itemAt(const QTreeWidgetItem* row)
{
    return {static_cast<SelectionItem::Kind>(row->data(0, KindRole).toInt()), row->data(0, ObjectRole).toULongLong()};
}

/// Sets the icon of a joint's row where it differs.
void setPicture(QTreeWidgetItem& row, const QString& picture, const char* token)
{
    const QString wanted = picture + u'|' + QLatin1StringView(token);
    if (row.data(0, PictureRole).toString() == wanted) return;
    row.setData(0, PictureRole, wanted);
    row.setIcon(0, icon(picture, QLatin1StringView(token)));
}

bool isLimited(const Joint& joint)
{
    const auto limited = [](const AxisFreedom& axis) { return axis.active && axis.limited; };
    return (joint.ball && (joint.ball->swing || joint.ball->twist)) ||
           (!joint.ball && std::any_of(joint.turning.begin(), joint.turning.end(), limited)) ||
           std::any_of(joint.sliding.begin(), joint.sliding.end(), limited);
}

} // namespace

Outliner::Outliner(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Find by name"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon("search", "text.hint"), QLineEdit::LeadingPosition);
    m_onlyHandles = pictureButton("filter", tr("Show handles only; hide joints and meshes"));
    m_onlyHandles->setObjectName(QStringLiteral("outliner.onlyHandles"));
    m_onlyHandles->setCheckable(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(6), theme.px(6), theme.px(6), theme.px(6));
    row->setSpacing(theme.px(4));
    row->addWidget(m_search, 1);
    row->addWidget(m_onlyHandles);
    column->addLayout(row);

    m_tree = new QTreeWidget;
    m_tree->setObjectName(QStringLiteral("outliner.tree"));
    m_tree->setAccessibleName(tr("Outliner"));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setIndentation(theme.px(13));
    m_tree->setItemDelegate(new RowPainter(m_tree));
    m_tree->setDragEnabled(true);
    m_tree->setDragDropMode(QAbstractItemView::InternalMove);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->viewport()->installEventFilter(this);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setMouseTracking(true);
    m_tree->viewport()->setAttribute(Qt::WA_Hover);
    column->addWidget(m_tree, 1);

    connect(m_search, &QLineEdit::textChanged, this, &Outliner::filter);
    connect(m_onlyHandles, &QToolButton::toggled, this, [this] { filter(m_search->text()); });
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, &Outliner::applySelection);
    // A handle's row is selected, too, while its pole or a point of its curve is: a click then selects the handle.
    connect(m_tree, &QTreeWidget::itemClicked, this, &Outliner::applySelection);
    connect(m_tree, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
        if (item == m_rigRow) emit rigWanted();
    });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (item == m_rigRow) emit rigWanted();
    });
    connect(m_tree, &QWidget::customContextMenuRequested, this, &Outliner::openMenu);
    connect(m_tree, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) {
        if (!itemAt(item).isValid()) return;
        const QSignalBlocker quiet(m_tree->model()); // else the name is put in anew, and is not selected
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        m_tree->editItem(item);
        item->setFlags(item->flags() & ~Qt::ItemIsEditable);
    });
    connect(m_tree, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        const std::string former = nameOf(m_editor.document().scene(), itemAt(item).object);
        if (m_isBusy || former.empty() || item->text(0).toStdString() == former) return;
        const QString name = item->text(0);
        QMetaObject::invokeMethod(
            this,
            [this, former, name] {
                if (!m_editor.document().apply(
                        {{"op", "rename"}, {"target", QString::fromStdString(former)}, {"to", name}}))
                    rebuild();
            },
            Qt::QueuedConnection);
    });
    connect(&editor.selection(), &Selection::changed, this, &Outliner::showSelection);
    connect(&editor.document(), &EditorDocument::replaced, this, &Outliner::rebuild);
    connect(&editor.document(), &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        bool isTreeChanged = changes.isOrderChanged || changes.isModelChanged;
        for (const auto& [object, aspects] : changes.objects)
            isTreeChanged = isTreeChanged || aspects.has(Aspect::Added) || aspects.has(Aspect::Removed) ||
                            aspects.has(Aspect::Name) || aspects.has(Aspect::Structure);
        if (isTreeChanged)
            rebuild();
        else if (changes.isRigChanged || changes.isViewChanged)
            refreshMarks();
    });
    connect(&editor, &Editor::frameReady, this, &Outliner::refreshMarks);
    connect(&editor.marks(), &Marks::changed, this, &Outliner::refreshMarks);
    connect(&Theme::instance(), &Theme::changed, this, &Outliner::fitIndentation);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        if (m_rigRow != nullptr) m_rigRow->setForeground(0, Theme::instance().color("accent.text"));
    });
    connect(m_tree, &QTreeWidget::itemExpanded, this, &Outliner::fitIndentation);
    connect(m_tree, &QTreeWidget::itemCollapsed, this, &Outliner::fitIndentation);
    rebuild();
}

void Outliner::rebuild()
{
    m_isBusy = true;
    std::set<ObjectId> folded;
    for (const auto& [object, item] : m_items)
        if (!item->isExpanded() && item->childCount() > 0) folded.insert(object);
    const bool isFirst = m_items.empty();
    m_tree->clear();
    m_items.clear();
    const Scene& scene = m_editor.document().scene();
    const auto add = [&](QTreeWidgetItem* parent, const QString& text, const QString& picture, SelectionItem item) {
        auto* row = parent == nullptr ? new QTreeWidgetItem(m_tree) : new QTreeWidgetItem(parent);
        row->setText(0, text);
        row->setIcon(0, icon(picture, "text.secondary"));
        row->setData(0, KindRole, static_cast<int>(item.kind));
        row->setData(0, ObjectRole, QVariant::fromValue<qulonglong>(item.object));
        if (item.isValid()) m_items[item.object] = row;
        return row;
    };
    auto* rig = add(nullptr, tr("Joints"), "skeleton", {});
    // Parents need not come first in the scene: each pass adds the joints whose parent is in the tree.
    std::vector<const Joint*> left;
    for (const Joint& joint : *scene.joints) left.push_back(&joint);
    while (!left.empty()) {
        std::vector<const Joint*> later;
        for (const Joint* joint : left) {
            const auto parent = m_items.find(joint->parent.value);
            if (joint->parent.isValid() && parent == m_items.end())
                later.push_back(joint);
            else
                add(joint->parent.isValid() ? parent->second : rig, QString::fromStdString(joint->name), "joint",
                    SelectionItem::of(joint->id));
        }
        if (later.size() == left.size()) break;
        left = std::move(later);
    }
    for (const auto& [object, item] : m_items)
        setPicture(*item,
                   item->parent() == rig     ? "root"
                   : item->childCount() == 0 ? "end-effector"
                                             : "joint",
                   "text.secondary");
    auto* handles = add(nullptr, tr("Handles"), "ik-handle", {});
    handles->setData(0, HandlesRole, true);
    handles->setData(0, CountRole, static_cast<int>(scene.handles->size()));
    rig->setData(0, CountRole, static_cast<int>(scene.joints->size()));
    m_rigRow = nullptr;
    if (scene.handles->empty() && !scene.joints->empty()) {
        handles->setData(0, HintRole, tr("none yet"));
        m_rigRow = add(handles, tr("Rig it makes them"), "guess-rig", {});
        m_rigRow->setForeground(0, Theme::instance().color("accent.text"));
        m_rigRow->setFlags(m_rigRow->flags() & ~Qt::ItemIsDragEnabled);
        m_rigRow->setToolTip(0, tr("No handles yet. Rig it makes them."));
    }
    for (const Handle& handle : *scene.handles)
        add(handles, QString::fromStdString(handle.name), solverIcon(handle.solver), SelectionItem::of(handle.id));
    if (scene.model != nullptr && !scene.model->meshes.empty()) {
        auto* meshes = add(nullptr, tr("Meshes"), "mesh", {});
        for (const Mesh& mesh : scene.model->meshes) {
            auto* row = add(meshes, QString::fromStdString(mesh.name), "mesh", {});
            row->setData(0, MeshRole, QString::fromStdString(mesh.name));
            row->setFlags(row->flags() & ~(Qt::ItemIsSelectable | Qt::ItemIsDragEnabled));
        }
    }
    // Expand a deep skeleton down to the joints that are posed; fingers stay collapsed.
    m_tree->expandAll();
    if (isFirst && scene.joints->size() > 40)
        for (const auto& [object, item] : m_items) {
            int below = 0;
            for (auto* row = item; row->parent() != nullptr; row = row->parent()) ++below;
            if (item->childCount() >= 3 && below > 5) item->setExpanded(false);
        }
    for (const ObjectId object : folded)
        if (const auto found = m_items.find(object); found != m_items.end()) found->second->setExpanded(false);
    m_isBusy = false;
    fitIndentation();
    filter(m_search->text());
    refreshMarks();
    showSelection();
}

/// The levels that are open share half of the width, as far as their marks stay visible; beyond that the tree scrolls.
void Outliner::fitIndentation()
{
    if (m_isBusy) return;
    const Theme& theme = Theme::instance();
    int deepest = 1;
    const auto visit = [&](const auto& self, const QTreeWidgetItem* row, int level) -> void {
        deepest = std::max(deepest, level);
        for (int c = 0; row->isExpanded() && c < row->childCount(); ++c) self(self, row->child(c), level + 1);
    };
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) visit(visit, m_tree->topLevelItem(i), 1);
    const int indentation = std::clamp(m_tree->viewport()->width() / 2 / deepest, theme.px(6), theme.px(13));
    m_tree->setIndentation(indentation);
    m_tree->header()->setMinimumSectionSize(deepest * indentation + theme.px(110));
}

void Outliner::refreshMarks()
{
    const Scene& scene = m_editor.document().scene();
    const FramePtr frame = m_editor.frame();
    m_isBusy = true;
    const ViewMarks& marks = m_editor.marks().marks();
    std::set<ObjectId> inChain;
    for (const JointId lit : marks.lit) inChain.insert(lit.value);
    if (const Handle* handle = scene.find(m_editor.selection().active().handle()))
        for (const JointId joint : chain(scene, handle->start, handle->end)) inChain.insert(joint.value);
    std::map<ObjectId, QStringList> ending; // the handles that end at a joint
    for (const Handle& handle : *scene.handles) ending[handle.end.value] << QString::fromStdString(handle.name);
    for (const Joint& joint : *scene.joints) {
        const auto found = m_items.find(joint.id.value);
        if (found == m_items.end()) continue;
        QStringList badges;
        if (isLimited(joint)) badges << "limit|rig.limit";
        if (joint.isTerminator) badges << "terminator|rig.terminator";
        const auto ends = ending.find(joint.id.value);
        if (ends != ending.end()) badges << "effector|rig.effector";
        const auto marked = marks.colours.find(joint.id);
        if (marked != marks.colours.end() && marked->second == RoleColour::Unknown) badges << "warning|status.warn";
        setPicture(*found->second, found->second->data(0, PictureRole).toString().section(u'|', 0, 0),
                   marked != marks.colours.end() && m_editor.view().state().showsRoles ? tokenOf(marked->second)
                                                                                       : "text.secondary");
        QStringList roles;
        if (!joint.parent.isValid()) roles << tr("root");
        if (joint.isTerminator) roles << tr("terminator");
        if (ends != ending.end()) roles << tr("effector of %1").arg(ends->second.join(QStringLiteral(", ")));
        if (found->second->childCount() == 0) roles << tr("end effector");
        const QString role = roles.empty() ? tr("joint") : roles.join(QStringLiteral(" · "));
        if (found->second->toolTip(0) != role) found->second->setToolTip(0, role);
        if (found->second->data(0, BadgesRole).toStringList() != badges) found->second->setData(0, BadgesRole, badges);
        if (const bool isIn = inChain.count(joint.id.value) != 0; found->second->data(0, InChainRole).toBool() != isIn)
            found->second->setData(0, InChainRole, isIn);
    }
    const auto set = [](QTreeWidgetItem* row, int role, const QVariant& value) {
        if (row->data(0, role) != value) row->setData(0, role, value);
    };
    const std::set<ObjectId> hidden = allHidden(scene);
    for (const auto& [object, row] : m_items) {
        const bool isOwn = scene.view->hidden.count(object) != 0;
        set(row, HiddenRole, isOwn ? IsHidden : hidden.count(object) != 0 ? IsBelowHidden : IsShown);
        set(row, LockedRole, scene.view->locked.count(object) != 0);
    }
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        for (int c = 0; c < m_tree->topLevelItem(i)->childCount(); ++c) {
            QTreeWidgetItem* row = m_tree->topLevelItem(i)->child(c);
            const QString mesh = row->data(0, MeshRole).toString();
            if (!mesh.isEmpty())
                set(row, HiddenRole, scene.view->hiddenMeshes.count(mesh.toStdString()) != 0 ? IsHidden : IsShown);
        }
    for (const Handle& handle : *scene.handles) {
        const auto found = m_items.find(handle.id.value);
        if (found == m_items.end()) continue;
        const HandleView* view = frame == nullptr ? nullptr : frame->find(handle.id);
        QStringList badges;
        if (view != nullptr && view->isMissed) badges << "error|status.error";
        if (handle.isPinned) badges << "pin|rig.pin";
        const bool isOn = view != nullptr && view->target.isActive();
        const QString word = view == nullptr ? QString() : driverWord(handle, isOn);
        if (found->second->data(0, BadgesRole).toStringList() != badges) found->second->setData(0, BadgesRole, badges);
        set(found->second, WordRole, word);
        set(found->second, DrivesRole, isOn);
    }
    m_isBusy = false;
}

QTreeWidgetItem* Outliner::itemOf(SelectionItem item) const
{
    const auto found = m_items.find(item.object);
    return found == m_items.end() ? nullptr : found->second;
}

void Outliner::showSelection()
{
    if (m_isBusy) return;
    m_isBusy = true;
    m_tree->clearSelection();
    for (const SelectionItem& item : m_editor.selection().items())
        if (QTreeWidgetItem* row = itemOf(item)) row->setSelected(true);
    if (QTreeWidgetItem* row = itemOf(m_editor.selection().active())) {
        m_tree->setCurrentItem(row, 0, QItemSelectionModel::NoUpdate);
        m_tree->scrollToItem(row);
    }
    m_isBusy = false;
    refreshMarks();
}

void Outliner::applySelection()
{
    if (m_isBusy) return;
    m_isBusy = true;
    std::vector<SelectionItem> items;
    for (const QTreeWidgetItem* row : m_tree->selectedItems())
        if (itemAt(row).isValid()) items.push_back(itemAt(row));
    // The current row is the active one.
    if (m_tree->currentItem() != nullptr) {
        const SelectionItem current = itemAt(m_tree->currentItem());
        if (const auto found = std::find(items.begin(), items.end(), current); found != items.end())
            std::rotate(found, found + 1, items.end());
    }
    m_editor.selection().select(std::move(items));
    m_isBusy = false;
    refreshMarks();
}

void Outliner::filter(const QString& text)
{
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        const auto visit = [&](const auto& self, QTreeWidgetItem* row) -> bool {
            bool isAny = text.isEmpty() || row->text(0).contains(text, Qt::CaseInsensitive);
            for (int c = 0; c < row->childCount(); ++c) isAny = self(self, row->child(c)) || isAny;
            row->setHidden(!isAny);
            return isAny;
        };
        visit(visit, m_tree->topLevelItem(i));
        const bool isHandles = m_tree->topLevelItem(i)->data(0, HandlesRole).toBool();
        m_tree->topLevelItem(i)->setHidden(m_onlyHandles->isChecked() && !isHandles);
    }
}

void Outliner::link(QTreeWidgetItem* dragged, QTreeWidgetItem* onto)
{
    const SelectionItem joint = itemAt(dragged), parent = itemAt(onto);
    const bool isRoot = onto->parent() == nullptr && onto == m_tree->topLevelItem(0);
    if (joint.kind != SelectionItem::Kind::Joint || (!isRoot && parent.kind != SelectionItem::Kind::Joint)) return;
    const Scene& scene = m_editor.document().scene();
    const QString name = QString::fromStdString(nameOf(scene, joint.object));
    const QJsonValue above = isRoot ? QJsonValue() : QJsonValue(QString::fromStdString(nameOf(scene, parent.object)));
    (void)m_editor.document().apply({{"op", "link"}, {"joint", name}, {"parent", above}});
}

bool Outliner::toggleMark(const QPoint& at)
{
    const QModelIndex index = m_tree->indexAt(at);
    QTreeWidgetItem* row = m_tree->itemAt(at);
    if (row == nullptr || !RowPainter::hasMarks(index)) return false;
    const QRect area = m_tree->visualRect(index);
    const bool isEye = RowPainter::markRect(area, RowMark::Eye).contains(at),
               isLock = RowPainter::markRect(area, RowMark::Lock).contains(at);
    const QString mesh = row->data(0, MeshRole).toString();
    if ((!isEye && !isLock) || (isLock && !mesh.isEmpty())) return false;
    const bool isOn = isEye ? row->data(0, HiddenRole).toInt() != IsHidden : !row->data(0, LockedRole).toBool();
    QJsonObject operation{{"op", isEye ? "setHidden" : "setLocked"}, {"on", isOn}};
    if (!mesh.isEmpty()) {
        operation.insert("meshes", QJsonArray{mesh});
    } else {
        QJsonArray names; // a selected row stands for the selection
        for (const QTreeWidgetItem* each : row->isSelected() ? m_tree->selectedItems() : QList{row})
            if (itemAt(each).isValid())
                names.append(QString::fromStdString(nameOf(m_editor.document().scene(), itemAt(each).object)));
        operation.insert("objects", names);
    }
    (void)m_editor.document().apply(operation);
    return true;
}

bool Outliner::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton && toggleMark(mouse->position().toPoint())) return true;
    }
    if (event->type() == QEvent::Resize) fitIndentation();
    if (event->type() == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        QTreeWidgetItem* onto = m_tree->itemAt(drop->position().toPoint());
        const auto dragged = m_tree->selectedItems();
        drop->setDropAction(Qt::IgnoreAction);
        drop->accept();
        if (onto != nullptr && !dragged.isEmpty()) {
            auto* first = dragged.first();
            QMetaObject::invokeMethod(
                this, [this, first, onto] { link(first, onto); }, Qt::QueuedConnection);
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Outliner::openMenu(const QPoint& at)
{
    QMenu menu(this);
    for (QAction* action : actions()) menu.addAction(action);
    if (!menu.isEmpty()) menu.exec(m_tree->viewport()->mapToGlobal(at));
}

} // namespace tendon::editor
