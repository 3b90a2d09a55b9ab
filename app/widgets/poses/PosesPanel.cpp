#include "app/widgets/poses/PosesPanel.h"

#include "app/editor/Theme.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Section.h"
#include "app/widgets/poses/BlendSlider.h"
#include "core/document/AutoRig.h"
#include "core/document/Operation.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QStyle>
#include <QTemporaryFile>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

const char* const kFolderKey = "poses/folder";
constexpr int kPictureSide = 96; // [px] at 100 %
constexpr int kSavedSide = 256;  // [px] of the picture in a file
constexpr int kSettleTime = 200; // [ms] after a change in the folder: a file is written in several steps
constexpr int kFileRole = Qt::UserRole;

/// The picture of a pose in a square: what it shows, or a sign that there is none, or that something is wrong.
QIcon pictureOf(const ShelvedPose& pose, qreal pixelRatio)
{
    const Theme& theme = Theme::instance();
    const int side = theme.px(kPictureSide);
    QPixmap square(QSize(side, side) * pixelRatio);
    square.setDevicePixelRatio(pixelRatio);
    square.fill(theme.color("surface.well"));
    QPainter painter(&square);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (!pose.picture.isNull()) {
        const QSize size = pose.picture.size().scaled(side, side, Qt::KeepAspectRatio);
        const QRect place(QPoint((side - size.width()) / 2, (side - size.height()) / 2), size);
        if (!pose.problem.isEmpty()) painter.setOpacity(0.4);
        painter.drawImage(place, pose.picture);
        painter.setOpacity(1);
    }
    const bool isWrong = !pose.problem.isEmpty();
    if (isWrong || pose.picture.isNull()) {
        const int sign = theme.px(isWrong ? 24 : 32);
        const QPixmap mark = isWrong ? iconPixmap(QStringLiteral("warning"), QStringLiteral("status.warn"), sign,
                                                  pixelRatio)
                                     : iconPixmap(QStringLiteral("skeleton"), QStringLiteral("text.hint"), sign,
                                                  pixelRatio);
        painter.drawPixmap(QPoint((side - sign) / 2, (side - sign) / 2), mark);
    }
    return QIcon(square);
}

/// Wants one row: what is below it stays to be seen, and the list gets what is left.
class PoseList : public QListWidget
{
public:
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        const Theme& theme = Theme::instance();
        return {theme.px(80), theme.px(96)};
    }
};

} // namespace

PosesPanel::PosesPanel(Editor& editor, Grab grab, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_grab(std::move(grab)),
      m_folder(QSettings().value(kFolderKey, usualFolder()).toString())
{
    setObjectName(QStringLiteral("poses"));
    // In a small window at a large scale there is no room for all of it: it scrolls, above what saves a pose.
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setMinimumHeight(Theme::instance().px(56));
    auto* inside = new QWidget;
    m_inside = inside;
    area->setWidget(inside);
    auto* around = new QVBoxLayout(this);
    around->setContentsMargins(0, 0, 0, 0);
    around->setSpacing(0);
    around->addWidget(area, 1);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    addFolder(*column);
    addList(*column);
    addUse(*column);
    m_below = new QWidget;
    auto* below = new QVBoxLayout(m_below);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    below->addWidget(separatorLine());
    addSave(*below);
    around->addWidget(m_below);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettleTime);
    connect(&m_soon, &QTimer::timeout, this, &PosesPanel::readFolder);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &PosesPanel::readSoon);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &PosesPanel::readSoon);
    connect(&editor.selection(), &Selection::changed, this, &PosesPanel::refresh);
    connect(&editor.document(), &EditorDocument::replaced, this, &PosesPanel::readSoon);
    connect(&editor.document(), &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        if (changes.isRigChanged) readSoon(); // others may be found now
    });
    connect(&Theme::instance(), &Theme::changed, this,
            [this] { fillList(chosen() == nullptr ? QString() : chosen()->file); });
    refresh();
}

int PosesPanel::fullHeight() const
{
    QLayout* parts = m_inside->layout();
    return m_below->sizeHint().height() + (parts->hasHeightForWidth() ? parts->totalHeightForWidth(m_inside->width())
                                                                      : parts->totalSizeHint().height());
}

QString PosesPanel::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/poses");
}

// ---- parts ----

void PosesPanel::addFolder(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(8), theme.px(4), theme.px(4), theme.px(4));
    row->setSpacing(theme.px(6));
    m_folderLabel = new ElidedLabel;
    m_folderLabel->setObjectName(QStringLiteral("poses.folder"));
    m_folderLabel->setProperty("role", "label");
    m_folderLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_folderLabel, 1);
    auto* choose = pictureButton(QStringLiteral("open"), tr("Choose the folder of the poses"));
    choose->setObjectName(QStringLiteral("poses.chooseFolder"));
    connect(choose, &QToolButton::clicked, this, &PosesPanel::chooseFolder);
    row->addWidget(choose);
    column.addLayout(row);
}

void PosesPanel::addList(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    m_list = new PoseList;
    m_list->setObjectName(QStringLiteral("poses.list"));
    m_list->setAccessibleName(tr("Poses"));
    m_list->setViewMode(QListView::IconMode);
    m_list->setProperty("pictures", true); // for the style sheet, which makes rows of lists low
    m_list->setMovement(QListView::Static);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setUniformItemSizes(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setWordWrap(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QListWidget::currentItemChanged, this, &PosesPanel::refresh);
    connect(m_list, &QListWidget::itemActivated, this, &PosesPanel::apply); // Enter, and a double click
    connect(m_list, &QWidget::customContextMenuRequested, this, &PosesPanel::openMenu);
    auto* discard = new QShortcut(QKeySequence::Delete, m_list);
    discard->setContext(Qt::WidgetShortcut);
    connect(discard, &QShortcut::activated, this, &PosesPanel::discard);
    column.addWidget(m_list, 1);
    m_message = new QLabel;
    m_message->setObjectName(QStringLiteral("poses.message"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4));
    column.addWidget(m_message);
}

void PosesPanel::addUse(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* checks = new QHBoxLayout;
    checks->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(4));
    checks->setSpacing(theme.px(10));
    const auto check = [&](const QString& text, const char* name, const QString& tip) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QLatin1StringView(name));
        box->setToolTip(tip);
        connect(box, &QCheckBox::toggled, this, &PosesPanel::refresh);
        checks->addWidget(box);
        return box;
    };
    m_isPart = check(tr("Selected"), "poses.selected", tr("Apply and save only the selected joints"));
    m_isMirrored = check(tr("Mirrored"), "poses.mirrored",
                         tr("Apply the mirror image, left and right swapped, about the figure's root"));
    m_keepsPlace = check(tr("In place"), "poses.inPlace", tr("Keep the figure's position and heading"));
    checks->addStretch(1);
    column.addLayout(checks);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(8));
    row->setSpacing(theme.px(8));
    auto* label = new QLabel(tr("Blend"));
    label->setProperty("role", "label");
    row->addWidget(label);
    m_blend = new BlendSlider(m_editor, [this](double share) { return operation(share); });
    m_blend->setObjectName(QStringLiteral("poses.blend"));
    m_blend->setAccessibleName(label->text());
    row->addWidget(m_blend, 1);
    m_apply = new QPushButton(tr("Apply"));
    m_apply->setObjectName(QStringLiteral("poses.apply"));
    connect(m_apply, &QPushButton::clicked, this, &PosesPanel::apply);
    row->addWidget(m_apply);
    column.addLayout(row);
}

void PosesPanel::addSave(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(8), theme.px(8), theme.px(8), theme.px(8));
    row->setSpacing(theme.px(8));
    m_name = new QLineEdit;
    m_name->setObjectName(QStringLiteral("poses.name"));
    m_name->setPlaceholderText(tr("New pose"));
    m_name->setAccessibleName(m_name->placeholderText());
    connect(m_name, &QLineEdit::textChanged, this, &PosesPanel::refresh);
    connect(m_name, &QLineEdit::returnPressed, this, &PosesPanel::save);
    row->addWidget(m_name, 1);
    m_save = new QPushButton(icon(QStringLiteral("save")), tr(" Save pose"));
    m_save->setObjectName(QStringLiteral("poses.save"));
    connect(m_save, &QPushButton::clicked, this, &PosesPanel::save);
    row->addWidget(m_save);
    column.addLayout(row);
}

// ---- the folder ----

void PosesPanel::chooseFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of the poses"), m_folder);
    if (!folder.isEmpty()) setFolder(folder);
}

void PosesPanel::setFolder(const QString& folder)
{
    m_folder = QDir(folder).absolutePath();
    QSettings().setValue(kFolderKey, m_folder);
    m_isStale = true;
    readFolder();
}

void PosesPanel::readSoon()
{
    m_isStale = true;
    if (isVisible()) m_soon.start();
}

void PosesPanel::showEvent(QShowEvent*)
{
    if (m_isStale) readFolder();
}

void PosesPanel::readFolder()
{
    if (m_job != nullptr) return; // again when it is over
    m_isStale = false;
    const auto poses = std::make_shared<std::vector<ShelvedPose>>();
    m_job = std::make_unique<Job>(
        [poses, folder = m_folder, scene = m_editor.document().scene()](Job::Control& control) {
            *poses = readPoseFolder(folder, scene, control.cancelled);
        },
        [this, poses] {
            m_job.release()->deleteLater(); // it is what calls
            if (m_isStale) return readFolder();
            take(std::move(*poses));
        });
}

void PosesPanel::take(std::vector<ShelvedPose> poses)
{
    if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
    if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
    if (QDir(m_folder).exists()) m_watcher.addPath(m_folder);
    QStringList files;
    for (const ShelvedPose& pose : poses) files << pose.file;
    if (!files.isEmpty()) m_watcher.addPaths(files);
    const QString current = !m_select.isEmpty() ? m_select : chosen() == nullptr ? QString() : chosen()->file;
    m_select.clear();
    if (poses != m_poses || m_list->count() == 0) {
        m_poses = std::move(poses);
        fillList(current);
    }
    refresh();
    emit read();
}

void PosesPanel::fillList(const QString& current)
{
    const Theme& theme = Theme::instance();
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    const int side = theme.px(kPictureSide);
    m_list->setIconSize({side, side});
    m_list->setGridSize({side + theme.px(12), side + theme.px(28)});
    for (const ShelvedPose& pose : m_poses) {
        auto* item = new QListWidgetItem(pictureOf(pose, devicePixelRatioF()), pose.name, m_list);
        item->setData(kFileRole, pose.file);
        item->setToolTip(pose.problem.isEmpty() ? pose.name : pose.problem);
        item->setData(Qt::AccessibleTextRole,
                      pose.problem.isEmpty() ? pose.name : tr("%1: cannot be applied").arg(pose.name));
        if (pose.file == current) m_list->setCurrentItem(item);
    }
    if (QListWidgetItem* item = m_list->currentItem()) m_list->scrollToItem(item);
}

// ---- what is chosen ----

const ShelvedPose* PosesPanel::chosen() const
{
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr) return nullptr;
    const QString file = item->data(kFileRole).toString();
    const auto found = std::find_if(m_poses.begin(), m_poses.end(),
                                    [&](const ShelvedPose& pose) { return pose.file == file; });
    return found == m_poses.end() ? nullptr : &*found;
}

/// The selected joints, and the ends of the selected handles.
QStringList PosesPanel::selectedJoints() const
{
    const Scene& scene = m_editor.document().scene();
    QStringList names;
    for (const SelectionItem& item : m_editor.selection().items()) {
        const Handle* handle = scene.find(item.handle());
        const JointId joint = handle != nullptr ? handle->end : item.joint();
        if (scene.find(joint) != nullptr) names << QString::fromStdString(referenceTo(scene, joint));
    }
    return names;
}

QString PosesPanel::whyNot() const
{
    const ShelvedPose* pose = chosen();
    if (pose == nullptr) return tr("Choose a pose");
    if (!pose->problem.isEmpty()) return pose->problem;
    if (m_isPart->isChecked() && selectedJoints().isEmpty()) return tr("Select the joints to pose");
    return {};
}

QJsonObject PosesPanel::operation(double share) const
{
    if (!whyNot().isEmpty()) return {};
    QJsonObject operation{{"op", "applyPose"}, {"file", chosen()->file}};
    if (m_isPart->isChecked()) operation["joints"] = QJsonArray::fromStringList(selectedJoints());
    if (m_isMirrored->isChecked()) operation["mirror"] = "x";
    if (m_keepsPlace->isChecked()) operation["keepPlace"] = true;
    if (share < 1) operation["blend"] = share;
    return operation;
}

void PosesPanel::refresh()
{
    m_folderLabel->setText(QDir::toNativeSeparators(m_folder));
    const QString reason = whyNot();
    m_apply->setEnabled(reason.isEmpty());
    m_apply->setToolTip(reason.isEmpty() ? tr("Apply the pose as one undo step (Enter)") : reason);
    if (!m_blend->isBlending()) m_blend->setEnabled(reason.isEmpty());
    m_blend->setToolTip(reason.isEmpty() ? tr("Drag to blend the pose as it is toward the chosen one; Esc cancels")
                                         : reason);
    const bool isEmpty = m_editor.document().scene().joints->empty();
    const bool isNamed = !m_name->text().trimmed().isEmpty();
    const bool isPartEmpty = m_isPart->isChecked() && selectedJoints().isEmpty();
    m_save->setEnabled(!isEmpty && isNamed && !isPartEmpty);
    m_save->setToolTip(isEmpty       ? tr("There is no character yet")
                       : isPartEmpty ? tr("Select the joints to save")
                       : !isNamed    ? tr("Type a name for the pose")
                                     : tr("Save the pose at this frame as a file"));
    const ShelvedPose* pose = chosen();
    if (pose != nullptr && !pose->problem.isEmpty())
        say(pose->problem, true);
    else if (pose != nullptr && pose->foundHere < pose->joints)
        say(tr("%1: %2 of its %3 joints are here").arg(pose->name).arg(pose->foundHere).arg(pose->joints), false);
    else if (pose != nullptr && m_isPart->isChecked() && !reason.isEmpty())
        say(reason, false);
    else if (!isReading() && !QDir(m_folder).exists() && m_folder != usualFolder())
        say(tr("This folder no longer exists. Choose another one."), true);
    else if (m_poses.empty() && !isReading())
        say(tr("No poses here yet. Pose the figure, type a name and save it."), false);
    else
        say({}, false);
}

void PosesPanel::say(const QString& text, bool isProblem)
{
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
    m_message->setProperty("role", isProblem ? "caution" : "hint");
    m_message->style()->polish(m_message); // the property chooses the look
}

// ---- what is done ----

void PosesPanel::apply()
{
    if (const QString reason = whyNot(); !reason.isEmpty()) return say(reason, true);
    (void)m_editor.document().apply(operation(1));
}

void PosesPanel::beginSaving()
{
    m_name->setFocus(Qt::ShortcutFocusReason);
    m_name->selectAll();
}

void PosesPanel::save()
{
    if (!m_save->isEnabled()) return;
    const QString file = poseFileIn(m_folder, m_name->text());
    if (file.isEmpty()) return say(tr("Type a name for the pose"), true);
    if (QFileInfo::exists(file) &&
        QMessageBox::question(
            this, tr("Save pose"),
            tr("A pose named %1 already exists. Replace it?").arg(QFileInfo(file).completeBaseName())) !=
            QMessageBox::Yes)
        return;
    if (!QDir().mkpath(m_folder)) return say(tr("The folder %1 cannot be created").arg(m_folder), true);
    QJsonObject operation{{"op", "savePose"}, {"file", file}};
    if (m_isPart->isChecked()) operation["joints"] = QJsonArray::fromStringList(selectedJoints());
    QJsonObject withPicture = operation;
    QTemporaryFile picture; // until the pose is written
    const QImage image = m_grab ? m_grab({kSavedSide, kSavedSide}) : QImage();
    if (!image.isNull() && picture.open() && image.save(&picture, "PNG") && picture.flush())
        withPicture["thumbnail"] = picture.fileName();
    Document copy = m_editor.document().copyForJob();
    const auto saved = std::make_shared<Result<void>>();
    Job job([&copy, saved, withPicture](Job::Control&) { *saved = carryOut(copy, withPicture); }, [] {});
    while (!job.waitFor(100)) QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
    if (!*saved) return say(QString::fromStdString(saved->error().message), true);
    m_editor.document().noteDone(operation, copy.messages);
    m_name->clear();
    m_select = file;
    m_list->setFocus(Qt::OtherFocusReason);
    m_isStale = true;
    readFolder();
}

void PosesPanel::discard()
{
    const ShelvedPose* pose = chosen();
    if (pose == nullptr) return;
    const QString name = pose->name;
    if (QFile::moveToTrash(pose->file))
        readSoon();
    else
        say(tr("%1 cannot be moved to the trash").arg(name), true);
}

void PosesPanel::openMenu(const QPoint& at)
{
    if (m_list->itemAt(at) == nullptr) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("poses.menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* use = menu->addAction(tr("Apply"), this, &PosesPanel::apply);
    use->setEnabled(whyNot().isEmpty());
    menu->addSeparator();
    menu->addAction(tr("Show in its folder"), this,
                    [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_folder)); });
    menu->addAction(icon(QStringLiteral("trash")), tr("Move to trash"), this, &PosesPanel::discard);
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

} // namespace tendon::editor
