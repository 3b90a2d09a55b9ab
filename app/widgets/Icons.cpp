#include "app/widgets/Icons.h"

#include "app/editor/Theme.h"
#include "core/io/base/UnfinishedWork.h"

#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace tendon::editor {
namespace {

QString fileOf(const QString& name) { return QStringLiteral(":/tendon/look/icons/%1.svg").arg(name); }

QByteArray colored(const QString& name, const QColor& color)
{
    QFile file(fileOf(name));
    if (!file.open(QIODevice::ReadOnly)) qWarning("there is no icon %s", qPrintable(name));
    return file.readAll().replace("currentColor", color.name(QColor::HexRgb).toLatin1());
}

class ThemedEngine : public QIconEngine
{
public:
    ThemedEngine(QString name, QString token) : m_name(std::move(name)), m_token(std::move(token)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const int side = std::min(rect.width(), rect.height());
        const QPixmap picture = iconPixmap(m_name, tokenFor(mode, state), side, painter->device()->devicePixelRatioF());
        painter->drawPixmap(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, picture);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        return iconPixmap(m_name, tokenFor(mode, state), qRound(std::min(size.width(), size.height()) / scale), scale);
    }
    QIconEngine* clone() const override { return new ThemedEngine(*this); }

private:
    [[nodiscard]] QString tokenFor(QIcon::Mode mode, QIcon::State state) const
    {
        if (mode == QIcon::Disabled) return QStringLiteral("text.disabled");
        const bool isButton = m_token == QLatin1StringView("text.primary"); // trees use On for expanded rows
        return state == QIcon::On && isButton ? QStringLiteral("accent.text") : m_token;
    }
    QString m_name, m_token;
};

} // namespace

QIcon icon(const QString& name, const QString& token) { return QIcon(new ThemedEngine(name, token)); }

QPixmap iconPixmap(const QString& name, const QString& token, int px, qreal dpr)
{
    const QColor color = Theme::instance().color(token);
    const QString key = QStringLiteral("tendon/%1/%2/%3/%4").arg(name, color.name()).arg(px).arg(dpr);
    QPixmap picture;
    if (QPixmapCache::find(key, &picture)) return picture;
    picture = QPixmap(qRound(px * dpr), qRound(px * dpr));
    if (picture.isNull()) return picture; // a column dragged to zero width
    picture.fill(Qt::transparent);
    QSvgRenderer renderer(colored(name, color));
    QPainter painter(&picture);
    renderer.render(&painter);
    painter.end();
    picture.setDevicePixelRatio(dpr);
    QPixmapCache::insert(key, picture);
    return picture;
}

QString iconFile(const QString& name, const QString& token)
{
    static UnfinishedWork work; // whatever ends the program, its folder goes
    static const QString folder = QString::fromStdString(
        work.makeFolder(QDir::tempPath().toStdString()).value_or(std::string()));
    if (folder.isEmpty()) return {};
    const QColor color = Theme::instance().color(token);
    const QString path = folder + '/' + name + '-' + color.name().mid(1) + ".svg";
    if (!QFile::exists(path)) {
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(colored(name, color));
    }
    return path;
}

QString solverIcon(const std::string& alias)
{
    const QString name = QStringLiteral("solver-") + QString::fromStdString(alias);
    return QFile::exists(fileOf(name)) ? name : QStringLiteral("ik-handle");
}

} // namespace tendon::editor
