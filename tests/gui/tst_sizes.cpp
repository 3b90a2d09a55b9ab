#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/ShortNames.h"
#include "app/widgets/AboutDialog.h"
#include "app/widgets/ChoiceCard.h"
#include "app/widgets/ExportDialog.h"
#include "app/widgets/FitOnScreen.h"
#include "app/widgets/ImportDialog.h"
#include "app/widgets/Inspector.h"
#include "app/widgets/ManualDialog.h"
#include "app/widgets/PreferencesDialog.h"
#include "app/widgets/TransportBar.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The window fits common screens, and nothing in it is cut off.
class TestSizes : public QObject
{
    Q_OBJECT
private:
    static constexpr QSize kSmall{911, 485}; ///< a screen of 1366 x 768 at 150 %, without the desktop's panel

    QTemporaryDir m_profile;

    static void resize(WindowUnderTest& w, QSize size)
    {
        w.window->resize(size);
        w.settle();
        w.settle();
    }
    /// Names the control in a row that has less room than its text needs; "" if there is none.
    static QString squeezedIn(const QWidget& row)
    {
        for (const auto* widget : row.findChildren<QWidget*>()) {
            const bool hasWords = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                  qobject_cast<const QLabel*>(widget) != nullptr ||
                                  qobject_cast<const QTabBar*>(widget) != nullptr;
            const auto* button = qobject_cast<const QToolButton*>(widget);
            if (button != nullptr && button->toolButtonStyle() == Qt::ToolButtonIconOnly) continue;
            if (!hasWords || !widget->isVisible() || widget->objectName().startsWith("qt_") ||
                qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr)
                continue;
            const QRect place(widget->mapTo(&row, QPoint()), widget->size());
            if (widget->width() < widget->sizeHint().width() || !row.rect().contains(place))
                return widget->objectName() + " of " + row.objectName();
        }
        return {};
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_profile.isValid());
        installStyle(*qApp);
    }
    void cleanup() { Theme::instance().set(Theme::Kind::Dark, 1); }

    void namesBesideFieldsAreNotCut()
    {
        WindowUnderTest w("mannequin");
        int seen = 0;
        for (const char* object : {"Shin_L", "FootIK_L"}) {
            w.select(object);
            w.settle();
            for (const auto* label : w.window->findChildren<QLabel*>()) {
                if (label->property("role").toString() != "label" || !label->isVisible() || label->text().isEmpty())
                    continue;
                const QRect room(0, 0, label->width(), 1000);
                const QSize needed =
                    label->wordWrap() ? label->fontMetrics().boundingRect(room, Qt::TextWordWrap, label->text()).size()
                                      : label->sizeHint();
                QVERIFY2(needed.width() <= label->width() && needed.height() <= label->height(),
                         qPrintable(label->text()));
                ++seen;
            }
        }
        QVERIFY(seen > 20);
    }

    void numbersAreNeverCut()
    {
        for (const double scale : {1.0, 1.5, 2.0}) {
            Theme::instance().set(Theme::Kind::Dark, scale);
            const QFontMetrics metrics(Theme::instance().font(12));
            for (const QString& unit : {QString(), QStringLiteral("cm"), QStringLiteral("°")})
                for (const double value : {0.0, -150.0, -120.54, 1234.56, -98765.4}) {
                    NumberField field({.decimals = 2, .unit = unit, .axis = 'X'});
                    field.setValue(value);
                    bool wasCut = false;
                    for (int width = field.minimumSizeHint().width(); width < 3 * field.sizeHint().width(); ++width) {
                        field.resize(width, field.sizeHint().height());
                        const NumberField::Shown shown = field.shown();
                        QVERIFY(metrics.horizontalAdvance(shown.number) <= shown.right - shown.left);
                        const bool isCut = shown.number.endsWith(QChar(0x2026));
                        QVERIFY2(!isCut || wasCut || width == field.minimumSizeHint().width(), "more room, and cut");
                        wasCut = isCut;
                        if (!isCut) QVERIFY(std::abs(shown.number.toDouble() - value) <= 0.5);
                    }
                    QCOMPARE(field.shown().number, field.text());
                    QCOMPARE(field.shown().hasUnit, !unit.isEmpty());
                    QVERIFY(!wasCut);
                }
        }
    }

    void everyMenuAndToolFitsAScreenOf1366At150Percent()
    {
        WindowUnderTest w("mannequin");
        resize(w, kSmall);
        QCOMPARE(w.window->size(), kSmall);
        for (const QAction* menu : w.window->menuBar()->actions())
            QVERIFY2(!w.window->menuBar()->actionGeometry(const_cast<QAction*>(menu)).isEmpty(),
                     qPrintable(menu->text()));
        const auto* transport = w.window->findChild<TransportBar*>();
        QCOMPARE(squeezedIn(*w.find<QToolBar>("tools")), QString());
        QCOMPARE(squeezedIn(*transport), QString());
        // A button without text shows the text in its tooltip.
        auto* handle = w.find<QToolButton>("button.create.handle");
        QCOMPARE(handle->toolButtonStyle(), Qt::ToolButtonIconOnly);
        QVERIFY(handle->toolTip().contains("handle"));
        QCOMPARE(transport->tabs()->tabText(1), QString());
        QCOMPARE(transport->tabs()->tabToolTip(1), QString("Dope sheet"));
        QCOMPARE(transport->tabs()->accessibleTabName(1), QString("Dope sheet"));
    }

    void buttonsShowTheirTextAgainWhenThereIsRoom()
    {
        WindowUnderTest w("mannequin");
        const auto* tabs = w.find<QTabBar>("bottom.tabs");
        resize(w, kSmall);
        QCOMPARE(tabs->tabText(0), QString());
        QVERIFY(!w.find<QLabel>("title")->isVisible());
        resize(w, {1600, 900});
        QCOMPARE(tabs->tabText(0), QString("Timeline"));
        QVERIFY(w.find<QLabel>("title")->isVisible());
        QCOMPARE(w.find<QToolButton>("button.create.handle")->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        QCOMPARE(squeezedIn(*w.find<QToolBar>("tools")), QString());
    }

    void anInterfaceAt150PercentFitsTheSameScreen()
    {
        Theme::instance().set(Theme::Kind::Dark, 1.5);
        WindowUnderTest w("mannequin");
        resize(w, {1366, 740});
        QCOMPARE(w.window->size(), QSize(1366, 740));
        QCOMPARE(w.find<QTabBar>("bottom.tabs")->tabText(0), QString());
    }

    void theTourShowsWordsAndKeysOfAllPresets_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("size");
        QTest::newRow("100 %") << 1.0 << QSize(1366, 740);
        QTest::newRow("150 %") << 1.5 << QSize(1366, 740);
        QTest::newRow("150 %, wide") << 1.5 << QSize(2700, 1400);
    }

    /// Between the words of a row and its keys is a gap: neither is drawn over the other.
    void theTourShowsWordsAndKeysOfAllPresets()
    {
        QFETCH(double, scale);
        QFETCH(QSize, size);
        Theme& theme = Theme::instance();
        theme.set(Theme::Kind::Dark, scale);
        WindowUnderTest w("mannequin");
        resize(w, size);
        w.window->showTour();
        w.settle();
        for (int preset = 0; preset < 3; ++preset) {
            auto* card = w.find<QAbstractButton>(qPrintable(QStringLiteral("tour.preset.%1").arg(preset)));
            const QImage picture = card->grab().toImage();
            const QColor ground = picture.pixelColor(theme.px(5), picture.height() - theme.px(5));
            const QStringList rows = {"Tools", "Orbit", "Set key", "Key by key", "Frames"};
            for (int row = 0; row < rows.size(); ++row) {
                const int top = theme.px(32) + theme.px(2) + row * theme.px(22);
                const int end = theme.px(10) + QFontMetrics(theme.font(12)).horizontalAdvance(rows[row]);
                const auto isEmpty = [&](int x) {
                    for (int y = top + 2; y < top + theme.px(19); ++y)
                        if (picture.pixelColor(x, y) != ground) return false;
                    return true;
                };
                const QString where = QStringLiteral("%1 of preset %2").arg(rows[row]).arg(preset);
                QVERIFY2(isEmpty(end + 1) && isEmpty(end + 2), qPrintable(where));
                bool hasInk = false; // the last letter is there
                for (int x = end - theme.px(6); x < end; ++x) hasInk |= !isEmpty(x);
                QVERIFY2(hasInk, qPrintable(where));
            }
        }
    }

    void longNamesDoNotWidenTheInspector()
    {
        WindowUnderTest w("leg");
        const QString longer = QString(12, 'n') +
                               QStringLiteral("_of_a_joint_of_a_skeleton_from_elsewhere_").repeated(3);
        for (const char* name : {"Thigh", "Shin", "Foot", "FootGoal"})
            QVERIFY(w.document().apply({{"op", "rename"}, {"target", name}, {"to", longer + name}}));
        const auto* inspector = w.window->findChild<Inspector*>();
        for (const char* name : {"Thigh", "FootGoal"}) {
            w.select((longer + name).toUtf8().constData());
            resize(w, kSmall);
            QVERIFY2(inspector->widget()->width() <= inspector->viewport()->width(), name); // nothing is cut off
        }
    }

    void comparedResultsAreReadAtOnce_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("size");
        QTest::newRow("1366 x 768") << 1.0 << QSize(1366, 740);
        QTest::newRow("1366 x 768 at 150 %") << 1.5 << QSize(1366, 740);
        QTest::newRow("1600 x 1000") << 1.0 << QSize(1600, 1000);
    }

    /// Three solvers are seen without scrolling: at 100 % with all their figures, else with names and results.
    void comparedResultsAreReadAtOnce()
    {
        QFETCH(double, scale);
        QFETCH(QSize, size);
        Theme::instance().set(Theme::Kind::Dark, scale);
        WindowUnderTest w("mannequin");
        w.state->comparison().setOthers({"fabrik", "dls"});
        w.select("HandIK_R");
        w.window->showBottom(BottomTab::Compare);
        resize(w, size);
        w.state->comparison().finish();
        w.settle();
        w.settle();
        if (scale == 1) QCOMPARE(w.window->size(), size);
        auto* table = w.find<QTreeWidget>("compare.table");
        QCOMPARE(table->topLevelItemCount(), 3);
        const QRect last = table->visualItemRect(table->topLevelItem(2));
        QVERIFY2(last.top() > 0 && last.bottom() <= table->viewport()->height(),
                 qPrintable(QStringLiteral("%1 of %2").arg(last.bottom()).arg(table->viewport()->height())));
        for (int column = 0; column < table->columnCount(); ++column) {
            if (scale > 1 && column > 0 && column + 1 < table->columnCount()) continue;
            const int from = table->columnViewportPosition(column), width = table->columnWidth(column);
            QVERIFY(width >= static_cast<const QAbstractItemView*>(table)->sizeHintForColumn(column));
            QVERIFY2(from >= 0 && from + width <= table->viewport()->width(),
                     qPrintable(QStringLiteral("%1 + %2 of %3").arg(from).arg(width).arg(table->viewport()->width())));
        }
    }

    /// Its status line is on the screen, too.
    void aNewWindowFitsTheScreenWithItsFrame_data()
    {
        QTest::addColumn<QRect>("room");
        QTest::addColumn<bool>("fits");
        QTest::newRow("a large screen") << QRect(0, 0, 1920, 1080) << true;
        QTest::newRow("as large as the window") << QRect(0, 0, 1600, 1000) << false;
        QTest::newRow("below a panel") << QRect(0, 40, 1920, 1010) << false;
        QTest::newRow("small") << QRect(0, 0, 1366, 768) << false;
    }

    void aNewWindowFitsTheScreenWithItsFrame()
    {
        QFETCH(QRect, room);
        QFETCH(bool, fits);
        QWidget window;
        window.resize(1600, 1000);
        fitOnScreen(window, room);
        QCOMPARE(window.windowState().testFlag(Qt::WindowMaximized), !fits);
        if (!fits) QVERIFY(room.contains(window.geometry()));
    }

    void guessedLimitsAreReadWhole()
    {
        WindowUnderTest w("tree");
        w.window->commands().run(QStringLiteral("rig.guessLimits"));
        w.settle();
        auto* list = w.find<QTreeWidget>("guessLimits.list");
        QVERIFY(list->topLevelItemCount() > 0);
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            const QRect row = list->visualItemRect(list->topLevelItem(i));
            const int room = list->columnWidth(1) - Theme::instance().px(8);
            const QRect text = list->fontMetrics().boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap,
                                                                list->topLevelItem(i)->text(1));
            QVERIFY2(row.height() >= text.height(), qPrintable(list->topLevelItem(i)->text(1)));
            const int name = list->fontMetrics().horizontalAdvance(list->topLevelItem(i)->text(0));
            QVERIFY2(list->columnWidth(0) >= name + Theme::instance().px(16), // the box to check, too
                     qPrintable(list->topLevelItem(i)->text(0)));
        }
    }

    /// Of names that begin and end alike the part is shown that differs, also in the list of a chain.
    void shortNamesDiffer()
    {
        QStringList names;
        for (const char* part : {"Hips", "Foot.L", "Foot.R", "UpperLeg.L", "Head"})
            names << QStringLiteral("character_main_rig:deform_%1_joint_with_a_very_long_name_0001").arg(part);
        const ShortNames shortNames(names);
        const QFontMetrics metrics(Theme::instance().font());
        const int room = metrics.horizontalAdvance(QStringLiteral("…UpperLeg.L…")) + 2;
        QStringList shown;
        for (const QString& name : names) {
            shown << shortNames.fit(name, metrics, room);
            QVERIFY2(metrics.horizontalAdvance(shown.last()) <= room, qPrintable(shown.last()));
            QCOMPARE(shortNames.fit(name, metrics, 2000), name);
        }
        QCOMPARE(shown, QStringList({"…Hips…", "…Foot.L…", "…Foot.R…", "…UpperLeg.L…", "…Head…"}));
        QCOMPARE(ShortNames({"Thigh", "Shin", "Foot"}).fit("Shin", metrics, 2000), QString("Shin")); // nothing alike
        // In a sentence, too, and of all names in it.
        const ShortNames rig({"rig:deform_Hips", "rig:deform_Foot", "rig:deform_Head"});
        const QString sentence("rig:deform_Head looks at rig:deform_Foot"), brief("…Head looks at …Foot");
        QCOMPARE(rig.fit(sentence, metrics, metrics.horizontalAdvance(brief) + 2), brief);
        // Of a chain, every joint stays one: what stands between them is seen, and short names are whole.
        const QString chain("Clavicle_L › UpperArmOfTheFigure_L › ForearmOfTheFigure_L › Hand_L"), between(" › ");
        for (const int width : {200, 240, 280, 340}) {
            const QString fits = ShortNames().fit(chain, metrics, width);
            QVERIFY2(metrics.horizontalAdvance(fits) <= width, qPrintable(fits));
            const QStringList joints = fits.split(between);
            QCOMPARE(joints.size(), 4);
            for (const auto& [at, begin] : {std::pair(1, "U"), std::pair(2, "F")})
                QVERIFY2(joints[at].startsWith(begin) && joints[at].endsWith("L"), qPrintable(fits));
            if (width >= 280)
                QVERIFY2(fits.startsWith("Clavicle_L › ") && fits.endsWith(" › Hand_L"), qPrintable(fits));
        }

        WindowUnderTest w("leg");
        const QString begin(70, 'n'), end(70, 'm');
        for (const char* name : {"Dummy", "Thigh", "Shin", "Foot"})
            QVERIFY(w.document().apply({{"op", "rename"}, {"target", name}, {"to", begin + '_' + name + '_' + end}}));
        w.select("FootGoal");
        resize(w, kSmall);
        auto* list = w.find<QListWidget>("handle.joints");
        const QImage picture = list->viewport()->grab().toImage();
        const auto wordsOf = [&](int row) {
            const QRect all = list->visualItemRect(list->item(row));
            return picture.copy(all.adjusted(Theme::instance().px(26), 2, -2, -2));
        };
        QCOMPARE(wordsOf(0).size(), wordsOf(1).size());
        QVERIFY(wordsOf(0) != wordsOf(1));
    }

    void whatADialogHasNoRoomForScrolls()
    {
        WindowUnderTest w("leg");
        QDialog dialog(w.window.get());
        auto* column = new QVBoxLayout(&dialog);
        auto* large = new QWidget;
        large->setFixedSize(300, 3000);
        auto* last = new QPushButton(QStringLiteral("Close"));
        column->addWidget(large);
        column->addWidget(last);
        dialog.show();
        QCoreApplication::processEvents();
        const QSize room = dialog.screen()->availableSize();
        QVERIFY(dialog.width() <= room.width() && dialog.height() <= room.height());
        auto* area = dialog.findChild<QScrollArea*>();
        QVERIFY(area != nullptr && last->isVisible());
        area->ensureWidgetVisible(last);
        QVERIFY(!last->visibleRegion().isEmpty());
    }

    /// Their buttons stay in reach on the same screen at 200 %, and what there is no room for scrolls.
    void dialogsFitAScreenOf1366At200Percent()
    {
        Theme::instance().set(Theme::Kind::Dark, 2);
        const QSize room(1366, 690);
        WindowUnderTest w("mannequin");
        const Scene& scene = w.document().scene();
        ExportDialog exporting(m_profile.filePath("walk"), scene, scene.clips.front()->id, w.window.get());
        AboutDialog about(w.document().solvers(), w.window.get());
        PreferencesDialog preferences(*w.window);
        for (QDialog* dialog :
             {static_cast<QDialog*>(&exporting), static_cast<QDialog*>(&about), static_cast<QDialog*>(&preferences)}) {
            dialog->show();
            dialog->resize(dialog->size().boundedTo(room));
            w.settle();
            QVERIFY2(dialog->width() <= room.width() && dialog->height() <= room.height(),
                     dialog->metaObject()->className());
            for (const auto* button : dialog->findChildren<QPushButton*>()) {
                if (!button->isVisible()) continue;
                const QRect place(button->mapTo(dialog, QPoint()), button->size());
                QVERIFY2(dialog->rect().contains(place), qPrintable(button->text()));
            }
            // On the screen that there is, it is not larger than that.
            QVERIFY(dialog->height() <= dialog->screen()->availableGeometry().height());
        }
        for (const auto* card : exporting.findChildren<ChoiceCard*>())
            QVERIFY2(card->width() >= card->sizeHint().width(), qPrintable(card->text()));
    }

    void dialogsFitAScreenOf1366At150Percent()
    {
        WindowUnderTest w("mannequin");
        const Scene& scene = w.document().scene();
        ImportedModel model;
        model.scene = scene;
        for (int i = 0; i < 20; ++i) model.issues.push_back({Severity::Warning, "a texture is missing", "mesh", 0});
        ExportDialog exporting(m_profile.filePath("walk"), scene, scene.clips.front()->id, w.window.get());
        ImportDialog importing(
            m_profile.filePath("walk.glb"), model,
            [](QSize size, double) { return QImage(size, QImage::Format_RGB32); }, w.window.get());
        ManualDialog manual(w.window.get());
        for (QDialog* dialog :
             {static_cast<QDialog*>(&exporting), static_cast<QDialog*>(&importing), static_cast<QDialog*>(&manual)}) {
            const QSize least = dialog->minimumSizeHint().expandedTo(dialog->minimumSize());
            const QString said = QStringLiteral("%1: %2 x %3")
                                     .arg(dialog->metaObject()->className())
                                     .arg(least.width())
                                     .arg(least.height());
            QVERIFY2(least.width() <= kSmall.width() && least.height() <= kSmall.height() - 25,
                     qPrintable(said)); // and its title
        }
    }

    /// A model of 127 m, whose file says centimetres: no unit that has a name makes it a child, so one is offered.
    void anImportOffersAUnitForWhatIsTooLarge()
    {
        WindowUnderTest w("mannequin");
        ImportedModel model;
        model.scene = w.document().scene();
        model.heightMetres = 126.72;
        const auto unitOf = [&](ImportDialog& dialog) { return dialog.findChild<QComboBox*>("import.unit"); };
        ImportDialog dialog(m_profile.filePath("child.fbx"), model, {}, w.window.get());
        const auto* height = dialog.findChild<QLabel*>("import.height");
        QVERIFY2(height->text().contains("very large"), qPrintable(height->text()));
        unitOf(dialog)->setCurrentIndex(unitOf(dialog)->count() - 1);
        QCOMPARE(height->text(), QString("1.27 m (the size of a person)"));
        const double given = model.scene.model == nullptr ? 1 : model.scene.model->metresPerUnit;
        QVERIFY(std::abs(dialog.operation()["unit"].toDouble() - given / 100) < 1e-12);
        model.heightMetres = 1.7;
        ImportDialog usual(m_profile.filePath("child.fbx"), model, {}, w.window.get());
        QCOMPARE(unitOf(usual)->count(), unitOf(dialog)->count() - 1);
    }
};

TENDON_TEST(TestSizes)
#include "tst_sizes.moc"
