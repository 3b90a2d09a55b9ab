#pragma once

#include "app/editor/Editor.h"
#include "app/editor/Job.h"
#include "app/editor/PoseFolder.h"

#include <QFileSystemWatcher>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace tendon::editor {

class BlendSlider;
class ElidedLabel;

/// The pose library: the pose files of a folder with their pictures. A pose is applied whole or to the selected joints,
/// mirrored, or blended by a slider; each is one operation `applyPose`, and saving one is `savePose`.
class PosesPanel : public QWidget
{
    Q_OBJECT
public:
    using Grab = std::function<QImage(QSize)>;

    /// `grab`: a picture of the view. `editor` outlives the panel.
    PosesPanel(Editor& editor, Grab grab, QWidget* parent = nullptr);

    [[nodiscard]] static QString usualFolder(); ///< where poses are, unless another folder is chosen
    [[nodiscard]] const QString& folder() const { return m_folder; }
    void setFolder(const QString& folder); ///< also remembered
    void beginSaving();                    ///< the name that is to be typed has the focus
    void apply();                          ///< the chosen pose
    [[nodiscard]] int fullHeight() const;  ///< [px] at which nothing of it has to scroll

    [[nodiscard]] bool isReading() const { return m_job != nullptr; }
    [[nodiscard]] const std::vector<ShelvedPose>& poses() const { return m_poses; }

signals:
    void read(); ///< the folder has been read, and is shown

private:
    void addFolder(QVBoxLayout& column);
    void addList(QVBoxLayout& column);
    void addUse(QVBoxLayout& column);
    void addSave(QVBoxLayout& column);
    void chooseFolder();
    void readSoon(); ///< when it is seen, and no change has come for a moment
    void readFolder();
    void take(std::vector<ShelvedPose> poses);
    void fillList(const QString& current);
    void refresh();
    void save();
    void discard(); ///< moves the chosen file to the trash
    void openMenu(const QPoint& at);
    void say(const QString& text, bool isProblem);
    [[nodiscard]] const ShelvedPose* chosen() const;
    [[nodiscard]] QString whyNot() const; ///< why the chosen pose cannot be applied; "" = it can
    [[nodiscard]] QJsonObject operation(double share) const;
    [[nodiscard]] QStringList selectedJoints() const;
    void showEvent(QShowEvent* event) override;

    Editor& m_editor;
    Grab m_grab;
    QString m_folder;
    std::vector<ShelvedPose> m_poses;
    std::unique_ptr<Job> m_job;
    bool m_isStale = true; ///< read again: when it is seen, or when m_job is over
    QString m_select;      ///< file to choose when it has been read
    QFileSystemWatcher m_watcher;
    QTimer m_soon;

    QWidget* m_inside = nullptr; ///< what scrolls
    QWidget* m_below = nullptr;  ///< what saves a pose, always in sight
    ElidedLabel* m_folderLabel = nullptr;
    QListWidget* m_list = nullptr;
    QLabel* m_message = nullptr;
    QCheckBox *m_isPart = nullptr, *m_isMirrored = nullptr, *m_keepsPlace = nullptr;
    BlendSlider* m_blend = nullptr;
    QPushButton *m_apply = nullptr, *m_save = nullptr;
    QLineEdit* m_name = nullptr;
};

} // namespace tendon::editor
