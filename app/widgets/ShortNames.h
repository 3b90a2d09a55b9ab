#pragma once

#include <QFontMetrics>
#include <QStringList>
#include <QStyledItemDelegate>

namespace tendon::editor {

/// Shortens names so that they still differ: of many rigs, all joints begin, and some end, alike
/// ("character:deform_Foot_0001"). Where a name does not fit, that goes first.
class ShortNames
{
public:
    ShortNames() = default;
    /// What most of the names begin and end with, by whole words.
    explicit ShortNames(QStringList names);

    /// The name, or as much of it as fits.
    [[nodiscard]] QString fit(const QString& name, const QFontMetrics& metrics, int width) const;

private:
    QString m_begin, m_end;
};

/// Rows of a list whose text is a name.
class NameRows : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setNames(ShortNames names) { m_names = std::move(names); }

private:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
    ShortNames m_names;
};

} // namespace tendon::editor
