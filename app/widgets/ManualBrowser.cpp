#include "app/widgets/ManualBrowser.h"

#include "app/editor/Theme.h"
#include "app/widgets/ManualPages.h"

#include <QImage>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>

namespace tendon::editor {
namespace {

constexpr int kDressed = QTextFormat::UserProperty; // set on the first block of a formatted page

void dressTables(QTextFrame& frame, const Theme& theme)
{
    for (QTextFrame* child : frame.childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(child)) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(theme.color("line.soft"));
            format.setBorderCollapse(true);
            format.setCellSpacing(0);
            format.setCellPadding(theme.px(5));
            format.setTopMargin(theme.px(4));
            format.setBottomMargin(theme.px(12));
            table->setFormat(format);
        }
        dressTables(*child, theme);
    }
}

} // namespace

ManualBrowser::ManualBrowser(QWidget* parent) : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("manual.page"));
    setAccessibleName(tr("Page"));
    setOpenExternalLinks(true);
    setProperty("page", true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { reload(); });
    // Back and Forward call this as well. The document is the new one, but source() is still the previous one.
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        m_page = url.path().section(QStringLiteral("/tendon/manual/"), 1);
        if (!document()->begin().blockFormat().hasProperty(kDressed)) dress();
        document()->setLayoutEnabled(true);
    });
}

void ManualBrowser::open(const QString& page, const QString& slug)
{
    QUrl url(ManualPages::urlOf(page));
    if (!slug.isEmpty()) url.setFragment(slug);
    setSource(url, QTextDocument::MarkdownResource);
}

QVariant ManualBrowser::loadResource(int type, const QUrl& url)
{
    // Qt's Markdown reader would lay the page out again at every block, which takes seconds for long tables. Lay it out
    // once, after formatting.
    if (type == QTextDocument::MarkdownResource) document()->setLayoutEnabled(false);
    QVariant loaded = QTextBrowser::loadResource(type, url);
    if (type != QTextDocument::ImageResource) return loaded;
    QImage picture = loaded.typeId() == QMetaType::QByteArray ? QImage::fromData(loaded.toByteArray())
                                                              : loaded.value<QImage>();
    const qreal ratio = devicePixelRatioF();
    const int room = static_cast<int>((viewport()->width() - Theme::instance().px(48)) * ratio);
    if (room > 100 && picture.width() > room) picture = picture.scaledToWidth(room, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    return picture;
}

void ManualBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type)
{
    QTextBrowser::doSetSource(url, type);
    // Scroll to the heading only after formatting, when the page has its final height.
    if (!url.fragment().isEmpty() && !scrollToHeading(url.fragment()))
        qWarning("the manual has no heading %s", qPrintable(url.toString()));
}

void ManualBrowser::dress()
{
    const Theme& theme = Theme::instance();
    QTextDocument& page = *document();
    page.setDefaultFont(theme.font(13));
    page.setDocumentMargin(theme.px(20));
    QTextCursor cursor(&page);
    cursor.beginEditBlock();
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        const bool isCode = format.hasProperty(QTextFormat::BlockCodeFence) || format.nonBreakableLines();
        cursor.setPosition(block.position());
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        if (level > 0) {
            QTextCharFormat letters;
            letters.setFont(theme.font(level == 1 ? 22 : level == 2 ? 16 : 13, 600));
            letters.clearProperty(QTextFormat::FontSizeAdjustment);
            cursor.mergeCharFormat(letters);
            format.setTopMargin(theme.px(level == 1 ? 0 : 14));
            format.setBottomMargin(theme.px(6));
        } else if (isCode) {
            format.setBackground(theme.color("surface.panel"));
            format.setLeftMargin(theme.px(8));
        } else if (cursor.currentTable() == nullptr && block.textList() == nullptr) {
            format.setBottomMargin(theme.px(8));
        } else if (block.textList() != nullptr) {
            format.setBottomMargin(theme.px(3));
        }
        if (block == page.begin()) format.setProperty(kDressed, true);
        cursor.setBlockFormat(format);
        for (auto part = block.begin(); part != block.end(); ++part) {
            if (!part.fragment().charFormat().fontFixedPitch()) continue;
            cursor.setPosition(part.fragment().position());
            cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
            QTextCharFormat letters;
            letters.setFontFamilies(theme.monoFont().families());
            letters.setProperty(QTextFormat::FontPixelSize, theme.px(12));
            cursor.mergeCharFormat(letters);
        }
    }
    dressTables(*page.rootFrame(), theme);
    page.setLayoutEnabled(true);
    cursor.endEditBlock();
    page.clearUndoRedoStacks();
}

bool ManualBrowser::scrollToHeading(const QString& slug)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || ManualPages::slugOf(block.text().trimmed()) != slug) continue;
        QTextCursor cursor(block);
        setTextCursor(cursor);
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect(cursor).top() -
                                      Theme::instance().px(8));
        return true;
    }
    return false;
}

void ManualBrowser::mark(const QStringList& words)
{
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : words)
        for (QTextCursor at = document()->find(word); !at.isNull(); at = document()->find(word, at)) {
            QTextEdit::ExtraSelection selection;
            selection.cursor = at;
            selection.format.setBackground(Theme::instance().color("status.warn-tint"));
            marks << selection;
        }
    setExtraSelections(marks);
}

} // namespace tendon::editor
