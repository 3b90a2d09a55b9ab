#include "tests/gui/ClippedText.h"
#include "tests/gui/EveryPanel.h"
#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/Theme.h"

#include <QDir>
#include <QPainter>
#include <QStyle>

namespace tendon::test {
namespace {

using namespace editor;

/// Pictures of every panel, task and dialog, with long names of joints, in <build>/journeys/all; and what is cut or
/// covered in them, as lines. Run it by hand after a change to how the window looks: it takes minutes.
class Pictures : public QObject
{
    Q_OBJECT
private slots:
    void all_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("percent");
        QTest::addColumn<bool>("isDark");
        for (const QSize size : {QSize(1366, 768), QSize(1600, 1000), QSize(1920, 1080), QSize(2560, 1440)})
            for (const int percent : {100, 150, 200})
                for (const bool isDark : {true, false})
                    QTest::addRow("%dx%d-%d-%s", size.width(), size.height(), percent, isDark ? "dark" : "light")
                        << size << percent << isDark;
    }

    void all()
    {
        QFETCH(QSize, size);
        QFETCH(int, percent);
        QFETCH(bool, isDark);
        Theme::instance().set(isDark ? Theme::Kind::Dark : Theme::Kind::Light, percent / 100.0);
        RealWindow w("mannequin");
        w.window->resize(size);
        w.settle();
        const QDir folder(QStringLiteral(TENDON_PICTURES "/all/") + QTest::currentDataTag());
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        const auto look = [&](const QString& name, QWidget* dialog) {
            w.state->range().finish();
            w.settle();
            QPixmap picture = w.window->grab();
            if (dialog != nullptr) {
                QPainter painter(&picture);
                const QRect place = QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, dialog->size(),
                                                        w.window->rect());
                painter.fillRect(w.window->rect(), QColor(0, 0, 0, 110));
                painter.drawPixmap(place.topLeft(), dialog->grab());
                painter.setPen(Theme::instance().color("line.control")); // in place of the desktop's window frame
                painter.drawRect(place.adjusted(-1, -1, 0, 0));
            }
            QVERIFY(picture.save(folder.filePath(name + ".jpg"), nullptr, 90));
            for (const QString& found : {clippedIn(dialog != nullptr ? *dialog : *w.window),
                                         dialog != nullptr ? QString() : overlappingIn(*w.window)})
                if (!found.isEmpty()) qInfo("%s: %s", qPrintable(name), qPrintable(found));
        };
        EveryPanel(
            *w.window, [&] { w.settle(); }, look)
            .visit();
    }
    void cleanup() { Theme::instance().set(Theme::Kind::Dark, 1); }
};

} // namespace

std::unique_ptr<QObject> makePictures() { return std::make_unique<Pictures>(); }

} // namespace tendon::test

#include "Pictures.moc"
