#include "app/widgets/Preferences.h"

#include "app/editor/LengthUnit.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"

#include <QSettings>

#include <algorithm>

namespace tendon::editor::preferences {

QString lengthUnit() { return QSettings().value("units", QStringLiteral("cm")).toString(); }
void setLengthUnit(const QString& name)
{
    QSettings().setValue("units", name);
    LengthUnits::instance().show(name);
}

int autosaveSeconds() { return std::clamp(QSettings().value("autosave", kAutosaveSeconds[0]).toInt(), 1, 3600); }
void setAutosaveSeconds(int seconds) { QSettings().setValue("autosave", seconds); }

int undoSteps() { return std::clamp(QSettings().value("undoSteps", kUndoSteps).toInt(), 1, kMaxUndoSteps); }
void setUndoSteps(int steps) { QSettings().setValue("undoSteps", steps); }

FrameRate frameRate()
{
    constexpr double kUsual = 24;
    const double rate = QSettings().value("frameRate", kUsual).toDouble();
    return FrameRate::fromValue(rate > 0 ? rate : kUsual);
}
void setFrameRate(double perSecond) { QSettings().setValue("frameRate", perSecond); }

bool isLooping() { return QSettings().value("loop", true).toBool(); }
void setLooping(bool isOn) { QSettings().setValue("loop", isOn); }

void apply(MainWindow& window)
{
    constexpr int kMilli = 1000, kWriting = 500; // [ms] of which is left for writing
    LengthUnits::instance().show(lengthUnit());
    window.files().recovery().setDelay(kMilli * autosaveSeconds() - kWriting);
    applyUndoSteps(window);
    window.editor().playback().setLooping(isLooping());
    window.commands().refresh();
}

void applyUndoSteps(MainWindow& window)
{
    (void)window.editor().document().change([](Document& document) {
        document.history.setMaxSteps(static_cast<std::size_t>(undoSteps()));
        return Result<void>{};
    });
}

} // namespace tendon::editor::preferences
