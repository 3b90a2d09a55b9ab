#pragma once

#include "core/scene/Scene.h"

#include <QFontMetrics>
#include <QStringList>

namespace tendon::editor {

/// Shortens names so that they still differ: of many rigs, all joints begin, and some end, alike
/// ("character:deform_Foot_0001"). Where a text does not fit, that goes first.
class ShortNames
{
public:
    ShortNames() = default;
    /// What most of the names begin and end with, by whole words.
    explicit ShortNames(QStringList names);

    /// The name, or the sentence with names in it, or as much of it as fits.
    [[nodiscard]] QString fit(const QString& text, const QFontMetrics& metrics, int width,
                              Qt::TextElideMode mode = Qt::ElideMiddle) const;

private:
    [[nodiscard]] QString withoutBegin(const QString& text) const;
    QString m_begin, m_end;
};

/// The names of the joints of the document that the window shows, by which everything that shows names shortens them.
/// GUI thread.
class SceneNames
{
public:
    [[nodiscard]] static SceneNames& instance();
    [[nodiscard]] const ShortNames& names() const { return m_names; }
    void follow(const Scene& scene); ///< costs nothing if its joints are those of before

private:
    SceneNames() = default;
    Shared<ObjectList<Joint>> m_joints;
    ShortNames m_names;
};

/// As much of a text, by the names of the document that the window shows, as fits.
[[nodiscard]] QString shortened(const QString& text, const QFontMetrics& metrics, int width,
                                Qt::TextElideMode mode = Qt::ElideMiddle);

} // namespace tendon::editor
