#pragma once

#include <QObject>
#include <QString>

#include <array>

namespace tendon::editor {

/// A unit that lengths are shown and typed in.
struct LengthUnit
{
    const char* name;   ///< "cm"
    const char* suffix; ///< " cm", behind a number
    double perMetre;    ///< how many of them a metre has
    int extraDecimals;  ///< more than centimetres need to show as much
};
inline constexpr std::array<LengthUnit, 3> kLengthUnits = {
    {{"cm", " cm", 100, 0}, {"m", " m", 1, 2}, {"in", " in", 1 / 0.0254, 1}}};

/// The unit of the whole program, a preference of the user. Fields hold centimetres whatever is shown. One for the
/// whole program; who shows lengths listens to `changed`.
class LengthUnits : public QObject
{
    Q_OBJECT
public:
    static LengthUnits& instance();

    [[nodiscard]] const LengthUnit& shown() const { return *m_shown; }
    void show(const QString& name); ///< an unknown name is centimetres
    /// How many of the shown units a centimetre is.
    [[nodiscard]] double perCentimetre() const { return m_shown->perMetre / 100; }

signals:
    void changed();

private:
    LengthUnits() = default;
    const LengthUnit* m_shown = &kLengthUnits.front();
};

} // namespace tendon::editor
