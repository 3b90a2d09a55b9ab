#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QObject>

namespace tendon::editor {

/// Colours, sizes and fonts of the interface, out of resources/look/tokens.json: nothing else names a colour. One for
/// the whole program; painters read it, `changed` tells them to do so again.
class Theme : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Dark, Light };

    static Theme& instance();

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isDark() const { return m_kind == Kind::Dark; }
    [[nodiscard]] double scale() const { return m_scale; } ///< of the interface: 1 ... 2
    void set(Kind kind, double scale);

    /// "rig.goal", "accent.fill", ... An unknown name is a defect: magenta, and a warning.
    [[nodiscard]] QColor color(const QString& token) const;
    /// Logical pixels at 100 % to pixels at this scale, rounded to whole ones.
    [[nodiscard]] int px(double atHundred) const;
    /// "height.row" and the like, scaled.
    [[nodiscard]] int size(const QString& token) const;

    [[nodiscard]] QFont font(double px = 12, int weight = 400) const;
    [[nodiscard]] QFont monoFont(double px = 12) const;

    /// QPalette role ("Window", "Disabled/Text") to token.
    [[nodiscard]] const QHash<QString, QString>& paletteRoles() const { return m_paletteRoles; }

signals:
    void changed();

private:
    Theme();

    Kind m_kind = Kind::Dark;
    double m_scale = 1;
    QHash<QString, QColor> m_colors[2]; ///< by Kind
    QHash<QString, double> m_sizes;
    QHash<QString, QString> m_paletteRoles;
    QString m_family, m_monoFamily;
};

} // namespace tendon::editor
