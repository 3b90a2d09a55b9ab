#include "app/widgets/ManualDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/ManualBrowser.h"
#include "app/widgets/Section.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

enum { PageRole = Qt::UserRole, SlugRole };

} // namespace

ManualDialog::ManualDialog(QWidget* parent) : QDialog(parent)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("manual"));
    setWindowTitle(tr("Tendon manual"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    setSizeGripEnabled(true);
    resize(std::min(theme.px(1040), parent->width() - theme.px(80)),
           std::min(theme.px(760), parent->height() - theme.px(60)));

    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(theme.px(6), theme.px(6), theme.px(6), theme.px(6));
    bar->setSpacing(theme.px(4));
    m_page = new ManualBrowser;
    const auto addButton = [&](const char* name, const char* picture, const QString& tip, auto slot) {
        auto* button = pictureButton(QLatin1StringView(picture), tip);
        button->setObjectName(QLatin1StringView(name));
        button->setEnabled(false);
        connect(button, &QToolButton::clicked, m_page, slot);
        bar->addWidget(button);
        return button;
    };
    auto* back = addButton("manual.back", "step-back", tr("Go back to the previous page (Alt+Left)"),
                           &QTextBrowser::backward);
    auto* forth = addButton("manual.forward", "step-forward", tr("Go forward to the next page (Alt+Right)"),
                            &QTextBrowser::forward);
    connect(m_page, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(m_page, &QTextBrowser::forwardAvailable, forth, &QWidget::setEnabled);
    m_search = new QLineEdit;
    m_search->setObjectName(QStringLiteral("manual.search"));
    m_search->setPlaceholderText(tr("Search the manual"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon("search", "text.hint"), QLineEdit::LeadingPosition);
    bar->addWidget(m_search, 1);
    column->addLayout(bar);
    m_contents = new QTreeWidget;
    m_contents->setObjectName(QStringLiteral("manual.contents"));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setHeaderHidden(true);
    m_contents->setIndentation(theme.px(13));
    m_contents->header()->setStretchLastSection(true);
    column->addWidget(m_contents, 1);

    auto* halves = new QSplitter;
    halves->addWidget(left);
    halves->addWidget(m_page);
    halves->setStretchFactor(1, 1);
    halves->setSizes({theme.px(270), theme.px(770)});
    halves->setChildrenCollapsible(false);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(halves);

    connect(m_search, &QLineEdit::textChanged, this, &ManualDialog::fill);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (m_contents->topLevelItemCount() > 0) m_contents->setCurrentItem(m_contents->topLevelItem(0));
    });
    connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item == nullptr || item->data(0, PageRole).isNull()) return;
        m_page->open(item->data(0, PageRole).toString(), item->data(0, SlugRole).toString());
        m_page->mark(m_search->text().split(' ', Qt::SkipEmptyParts));
    });
    connect(m_page, &QTextBrowser::sourceChanged, this, &ManualDialog::showCurrent);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_search, qOverload<>(&QWidget::setFocus));
    fill({});
    m_page->open(m_pages.pages().first(), {});
}

void ManualDialog::open(const QString& page)
{
    if (!page.isEmpty()) {
        m_search->clear();
        m_page->open(QStringLiteral("resources/docs/user/%1.md").arg(page), {});
    }
    show();
    raise();
    activateWindow();
    m_search->setFocus();
}

QTreeWidgetItem* ManualDialog::addSection(QTreeWidgetItem* above, const ManualSection& section, const QString& text)
{
    auto* row = above == nullptr ? new QTreeWidgetItem(m_contents) : new QTreeWidgetItem(above);
    row->setText(0, text);
    row->setToolTip(0, text);
    row->setData(0, PageRole, section.page);
    row->setData(0, SlugRole, section.level == 1 ? QString() : section.slug);
    return row;
}

void ManualDialog::fill(const QString& words)
{
    const QSignalBlocker blocker(m_contents);
    m_contents->clear();
    m_contents->setRootIsDecorated(words.trimmed().isEmpty());
    QTreeWidgetItem* page = nullptr;
    if (words.trimmed().isEmpty()) {
        for (const ManualSection& section : m_pages.sections())
            if (section.level == 1)
                page = addSection(nullptr, section, section.title);
            else if (section.level == 2 && page != nullptr)
                addSection(page, section, section.title);
        m_page->mark({});
        showCurrent();
        return;
    }
    QString title;
    for (const std::size_t i : m_pages.find(words)) {
        const ManualSection& section = m_pages.sections()[i];
        for (const ManualSection& first : m_pages.sections())
            if (first.page == section.page && first.level == 1) title = first.title;
        addSection(nullptr, section,
                   section.level == 1 ? section.title : QStringLiteral("%1 › %2").arg(title, section.title));
    }
    if (m_contents->topLevelItemCount() == 0) {
        auto* none = new QTreeWidgetItem(m_contents, {tr("No page contains these words")});
        none->setFlags(Qt::NoItemFlags);
    }
}

void ManualDialog::showCurrent()
{
    if (!m_search->text().trimmed().isEmpty()) return;
    const QSignalBlocker blocker(m_contents);
    for (int i = 0; i < m_contents->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = m_contents->topLevelItem(i);
        const bool isOpen = row->data(0, PageRole).toString() == m_page->page();
        row->setExpanded(isOpen);
        const bool isWithin = m_contents->currentItem() != nullptr && m_contents->currentItem()->parent() == row;
        if (isOpen && !isWithin) m_contents->setCurrentItem(row);
    }
}

} // namespace tendon::editor
