#include "app/widgets/PreferencesDialog.h"

#include "app/editor/LengthUnit.h"
#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Preferences.h"
#include "app/widgets/ShortcutEditor.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

constexpr int kScales[] = {100, 110, 125, 150, 175, 200}; // [%]
constexpr double kRates[] = {12, 24, 25, 30, 50, 60};

QFormLayout* formIn(QWidget* page)
{
    const Theme& theme = Theme::instance();
    auto* form = new QFormLayout(page);
    form->setContentsMargins(theme.px(4), theme.px(14), theme.px(4), theme.px(4));
    form->setHorizontalSpacing(theme.px(14));
    form->setVerticalSpacing(theme.px(10));
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    return form;
}

void addHint(QFormLayout* form, const QString& text)
{
    auto* hint = new QLabel(text);
    hint->setProperty("role", "hint");
    hint->setWordWrap(true);
    form->addRow(hint);
}

} // namespace

template <typename T>
QComboBox* PreferencesDialog::addChoice(QFormLayout* form, const char* name, const QString& label, const QString& tip,
                                        const std::vector<std::pair<QString, T>>& items, const T& current,
                                        std::function<void(const T&)> take)
{
    auto* box = new ChoiceBox;
    box->setObjectName(QStringLiteral("preferences.%1").arg(QLatin1String(name)));
    box->setAccessibleName(label);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const auto& [text, value] : items) {
        box->addItem(text);
        if (value == current) box->setCurrentIndex(box->count() - 1);
    }
    connect(box, &QComboBox::activated, this,
            [items, take = std::move(take)](int index) { take(items[static_cast<std::size_t>(index)].second); });
    auto* words = new QLabel(label);
    words->setBuddy(box);
    form->addRow(words, box);
    return box;
}

PreferencesDialog::PreferencesDialog(MainWindow& window) : QDialog(&window), m_window(window)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("preferences"));
    setWindowTitle(tr("Preferences"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(12), theme.px(10), theme.px(12), theme.px(12));
    m_pages = new QTabWidget;
    m_pages->setObjectName(QStringLiteral("preferences.pages"));
    m_pages->tabBar()->setAccessibleName(tr("Pages"));
    m_pages->addTab(interfacePage(), tr("Interface"));
    m_pages->addTab(filesPage(), tr("Files and undo"));
    m_pages->addTab(animationPage(), tr("Animation"));
    m_pages->addTab(new ShortcutEditor(window), tr("Keys"));
    column->addWidget(m_pages, 1);
    auto* buttons = new QDialogButtonBox;
    auto* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setObjectName(QStringLiteral("preferences.close"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(theme.px(600), theme.px(420));
}

void PreferencesDialog::showKeys() { m_pages->setCurrentIndex(m_pages->count() - 1); }

QWidget* PreferencesDialog::interfacePage()
{
    auto* page = new QWidget;
    QFormLayout* form = formIn(page);
    const Theme& theme = Theme::instance();
    addChoice<Theme::Kind>(form, "theme", tr("Theme"), tr("Choose the colours of the window"),
                           {{tr("Dark"), Theme::Kind::Dark}, {tr("Light"), Theme::Kind::Light}}, theme.kind(),
                           [this](Theme::Kind kind) { m_window.setTheme(kind, Theme::instance().scale()); });
    std::vector<std::pair<QString, int>> scales;
    for (const int percent : kScales) scales.emplace_back(QStringLiteral("%1 %").arg(percent), percent);
    addChoice<int>(form, "scale", tr("Interface scale"), tr("Make all text and controls larger"), scales,
                   qRound(100 * theme.scale()),
                   [this](int percent) { m_window.setTheme(Theme::instance().kind(), percent / 100.0); });
    addChoice<QString>(form, "units", tr("Lengths in"),
                       tr("Choose the unit that lengths are shown and typed in; files always have metres"),
                       {{tr("Centimetres (cm)"), QStringLiteral("cm")},
                        {tr("Metres (m)"), QStringLiteral("m")},
                        {tr("Inches (in)"), QStringLiteral("in")}},
                       preferences::lengthUnit(), &preferences::setLengthUnit);
    return page;
}

QWidget* PreferencesDialog::filesPage()
{
    auto* page = new QWidget;
    QFormLayout* form = formIn(page);
    std::vector<std::pair<QString, int>> intervals;
    for (const int seconds : preferences::kAutosaveSeconds)
        intervals.emplace_back(
            seconds < 60 ? tr("%n seconds", nullptr, seconds) : tr("%n minutes", nullptr, seconds / 60), seconds);
    addChoice<int>(form, "autosave", tr("Autosave within"),
                   tr("Choose how long after a change a recovery copy of it is written"), intervals,
                   preferences::autosaveSeconds(), [this](int seconds) {
                       preferences::setAutosaveSeconds(seconds);
                       preferences::apply(m_window);
                   });
    std::vector<std::pair<QString, int>> backups;
    for (const int count : {0, 1, 2, 3, 5, 9})
        backups.emplace_back(count == 0 ? tr("None") : QString::number(count), count);
    addChoice<int>(form, "backups", tr("Backups"),
                   tr("Choose how many former versions a save keeps beside the project"), backups,
                   FileActions::backupCount(), &FileActions::setBackupCount);
    auto* steps = new NumberField({.decimals = 0, .step = 1, .minimum = 1, .maximum = preferences::kMaxUndoSteps});
    steps->setObjectName(QStringLiteral("preferences.undo"));
    steps->setAccessibleName(tr("Undo steps"));
    steps->setToolTip(tr("Choose how many steps can be undone"));
    steps->setFixedWidth(Theme::instance().px(80));
    steps->setValue(preferences::undoSteps());
    const auto take = [this](double value) {
        preferences::setUndoSteps(qRound(value));
        preferences::apply(m_window);
    };
    connect(steps, &NumberField::entered, this, take);
    connect(steps, &NumberField::dragEnded, this, [steps, take](bool isKept) {
        if (isKept) take(steps->value());
    });
    form->addRow(tr("Undo steps"), steps);
    addHint(form, tr("A recovery copy is offered after a crash. Backups are earlier saves beside the project."));
    return page;
}

QWidget* PreferencesDialog::animationPage()
{
    auto* page = new QWidget;
    QFormLayout* form = formIn(page);
    std::vector<std::pair<QString, double>> rates;
    for (const double rate : kRates) rates.emplace_back(tr("%1 fps").arg(rate), rate);
    addChoice<double>(form, "fps", tr("Frame rate of new projects"),
                      tr("Choose the frame rate that a new project starts with"), rates,
                      preferences::frameRate().perSecond(), &preferences::setFrameRate);
    auto* loop = new QCheckBox(tr("Loop playback"));
    loop->setObjectName(QStringLiteral("preferences.loop"));
    loop->setToolTip(tr("Start again at the end of the range, from the next start of Tendon on, too"));
    loop->setChecked(preferences::isLooping());
    connect(loop, &QCheckBox::toggled, this, [this](bool isOn) {
        preferences::setLooping(isOn);
        preferences::apply(m_window);
    });
    form->addRow(QString(), loop);
    return page;
}

} // namespace tendon::editor
