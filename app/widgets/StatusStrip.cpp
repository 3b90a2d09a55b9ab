#include "app/widgets/StatusStrip.h"

#include "app/editor/LengthText.h"
#include "app/editor/ShortNames.h"
#include "app/editor/Theme.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/HandleReasons.h"
#include "app/widgets/Icons.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/Section.h"
#include "core/math/Degrees.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/solve/StatusNames.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QTextDocumentFragment>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tendon::editor {
namespace {

constexpr int kReadingTime = 4000; // [ms]
constexpr int kDeedWidth = 320;    // [px] of the step that was undone: what is wrong has more to say

} // namespace

StatusStrip::StatusStrip(Editor& editor, QWidget* parent) : QStatusBar(parent), m_editor(editor)
{
    const Theme& theme = Theme::instance();
    setSizeGripEnabled(false);
    setFixedHeight(theme.size("height.status")); // whatever it says: what is above it stands still
    auto* hint = new ElidedLabel;                // beside a long message there is little room
    hint->setElideMode(Qt::ElideRight);
    m_hint = hint;
    m_hint->setObjectName(QStringLiteral("status.hint"));
    m_hint->setTextFormat(Qt::RichText);
    m_hint->setProperty("role", "label");
    m_hint->setContentsMargins(theme.px(8), 0, 0, 0);
    m_hint->setMinimumWidth(1);
    addWidget(m_hint, 1);
    m_settling = new QLabel(tr("Settling"));
    m_settling->setObjectName(QStringLiteral("status.settling"));
    m_settling->setProperty("role", "label");
    m_settling->setToolTip(tr("The clip is being solved; the pose shown may still change"));
    m_settling->hide();
    m_undone = new QLabel;
    m_undone->setObjectName(QStringLiteral("status.undone"));
    m_undone->hide();
    m_keys = new QLabel;
    m_keys->setProperty("role", "label");
    m_saved = new QLabel;
    m_saved->setProperty("role", "label");
    m_saved->setObjectName(QStringLiteral("status.saved"));
    addPermanentWidget(m_settling);
    addPermanentWidget(m_undone);
    addPermanentWidget(m_keys);
    addPermanentWidget(m_saved);

    m_frame = new QFrame;
    m_frame->setObjectName(QStringLiteral("status.message"));
    auto* row = new QHBoxLayout(m_frame);
    row->setContentsMargins(theme.px(8), 0, theme.px(4), 0);
    row->setSpacing(theme.px(6));
    m_icon = new QLabel;
    m_text = new ElidedLabel; // a long message must not make the window wider than the screen
    m_text->setObjectName(QStringLiteral("status.text"));
    m_text->setTextFormat(Qt::RichText);
    row->addWidget(m_icon);
    row->addWidget(m_text);
    m_fixes = new QHBoxLayout;
    m_fixes->setSpacing(theme.px(4));
    row->addLayout(m_fixes);
    m_more = new QLabel;
    m_more->setTextFormat(Qt::RichText);
    m_more->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_more->setObjectName(QStringLiteral("status.more"));
    m_more->setAccessibleName(tr("Other missed goals"));
    m_more->setToolTip(tr("List the other goals that are missed at this frame"));
    connect(m_more, &QLabel::linkActivated, this, &StatusStrip::showOtherMisses);
    row->addWidget(m_more);
    auto* close = pictureButton("close", tr("Close this message"), "text.secondary");
    close->setObjectName(QStringLiteral("status.close"));
    close->setIconSize({theme.px(12), theme.px(12)});
    connect(close, &QToolButton::clicked, this, [this] {
        m_closed = m_shown;
        m_reported.reset();
        refresh();
    });
    row->addWidget(close);
    addPermanentWidget(m_frame);
    m_frame->hide();

    constexpr int kLasting = 400; // [ms]
    m_lasting.setSingleShot(true);
    m_lasting.setInterval(kLasting);
    connect(&m_lasting, &QTimer::timeout, m_settling, &QWidget::show);
    connect(&editor.settlement(), &ClipSettlement::stateChanged, this, &StatusStrip::watchSettling);
    connect(&editor.drawnPose(), &DrawnPose::changed, this, &StatusStrip::watchSettling);

    connect(&editor, &Editor::frameReady, this, &StatusStrip::watchSettling);
    connect(&editor, &Editor::frameReady, this, &StatusStrip::refresh);
    connect(&editor.selection(), &Selection::changed, this, &StatusStrip::clearReport);
    connect(&editor.document(), &EditorDocument::changed, this, [this] { m_reported.reset(); });
    connect(&editor.document(), &EditorDocument::recordedOperation, this, &StatusStrip::noteDeed);
    connect(&editor.document(), &EditorDocument::replaced, this, [this] {
        const Clip* clip = m_editor.document().clip();
        m_keyCount = clip == nullptr ? 0 : clip->keyCount();
        m_keys->clear();
        m_reported.reset();
        m_undone->hide();
        m_closed.clear();
        refresh();
    });
    connect(&editor.document(), &EditorDocument::reported, this, [this](const Issues& issues) {
        for (const Issue& issue : issues)
            if (issue.severity != Severity::Info)
                report(issue);
            else if (m_reported && !issue.where.empty() && m_reported->where == issue.where)
                clearReport(); // the file that it was about is in order by now
        const bool isGood = std::all_of(issues.begin(), issues.end(),
                                        [](const Issue& issue) { return issue.severity == Severity::Info; });
        if (std::exchange(m_tellsOutcome, false) && isGood && !issues.empty()) report(issues.back());
    });
    connect(&editor.document(), &EditorDocument::editChanged, this, &StatusStrip::refresh);
    connect(&theme, &Theme::changed, this, [this] {
        setFixedHeight(Theme::instance().size("height.status"));
        m_frame->setProperty("message", {}); // so that its icon is drawn again
        refresh();
    });
}

void StatusStrip::setHint(const QString& richText)
{
    if (m_hint->text() != richText) m_hint->setText(richText);
}

void StatusStrip::setKeyOfKeying(const QString& key)
{
    if (std::exchange(m_keyOfKeying, key) != key) showKeys();
}

void StatusStrip::setSaved(const QString& text) { m_saved->setText(text); }

void StatusStrip::report(const Issue& issue, std::vector<Remedy> remedies)
{
    m_reported = issue;
    m_reportedRemedies = std::move(remedies);
    m_sinceReport.start();
    m_closed.clear();
    refresh();
}

void StatusStrip::clearReport()
{
    m_reported.reset();
    refresh();
}

void StatusStrip::noteDeed(const QJsonObject& operation)
{
    const EditorDocument& document = m_editor.document();
    const QString name = operation.value(QLatin1StringView("op")).toString();
    const bool isUndo = name == QLatin1StringView("undo"), isRedo = name == QLatin1StringView("redo");
    m_undone->setVisible(isUndo || isRedo);
    m_tellsOutcome = name == QLatin1StringView("rootMotion"); // the frame that is shown may look as before
    const std::string step = isUndo ? document.history().redoText() : document.history().undoText();
    const QString text = (isUndo ? tr("Undid: %1 · frame %2") : tr("Redid: %1 · frame %2"))
                             .arg(QString::fromStdString(step))
                             .arg(document.edit().frame);
    m_undone->setText(shortened(text, m_undone->fontMetrics(), Theme::instance().px(kDeedWidth)));
    m_undone->setToolTip(m_undone->text() == text ? QString() : text);
    // Scrubbing is one deed: what its first frame has said stays to be read.
    if (name != QLatin1StringView("setFrame") || m_sinceReport.hasExpired(kReadingTime)) clearReport();
}

void StatusStrip::refresh()
{
    showKeys();
    m_more->clear();
    if (m_reported) {
        const QString where =
            m_reported->where.empty()
                ? QString()
                : QStringLiteral("<b>%1:</b> ").arg(QString::fromStdString(m_reported->where).toHtmlEscaped());
        showMessage(m_reported->severity, where + QString::fromStdString(m_reported->text).toHtmlEscaped(),
                    m_reportedRemedies);
        return;
    }
    const FramePtr frame = m_editor.frame();
    if (frame == nullptr) return hideMessage();
    if (showBrokenSolver(*frame) || showMissedGoal(*frame) || showHeld(*frame) || showSoftReach(*frame) ||
        showCaution(*frame))
        return;
    const auto error = std::find_if(frame->issues.begin(), frame->issues.end(),
                                    [](const Issue& issue) { return issue.severity == Severity::Error; });
    if (error != frame->issues.end())
        showMessage(Severity::Error, QString::fromStdString(error->line()).toHtmlEscaped(), {});
    else
        hideMessage();
}

void StatusStrip::watchSettling()
{
    const bool isThere = m_editor.settlement().isSettled() && m_editor.drawnPose().hasArrived();
    if (isThere || m_editor.document().gesture().isOpen()) {
        m_lasting.stop();
        m_settling->hide();
    } else if (!m_lasting.isActive() && m_settling->isHidden()) {
        m_lasting.start();
    }
}

void StatusStrip::showKeys()
{
    // With Auto Key on, show how many keys the clip has.
    const EditorDocument& document = m_editor.document();
    const std::size_t keys = document.clip() == nullptr ? 0 : document.clip()->keyCount();
    const bool isPosed = !document.edit().pending.empty() && !document.edit().isAutoKeyOn;
    const bool isCorrecting = document.clip() != nullptr && document.edit().layer == Layer::Corrections;
    m_keys->setVisible(document.edit().isAutoKeyOn || isPosed || isCorrecting);
    const double weight = isCorrecting ? correctionsWeight(document.scene(), document.clip(), document.edit().pending,
                                                           document.scene().fps.timeOf(document.edit().frame))
                                       : 0;
    const QString count = keys == 1 ? tr("1 key") : tr("%n keys", nullptr, static_cast<int>(keys));
    if (isCorrecting && weight == 0) // a key would be refused
        m_keys->setText(document.clip()->hasCorrectionsOn ? tr("Corrections have weight 0 here: raise it to key them")
                                                          : tr("Corrections are off: show them to key them"));
    else if (isCorrecting)
        m_keys->setText(!isPosed ? tr("Keys go to the corrections")
                        : m_keyOfKeying.isEmpty()
                            ? tr("Posed, not keyed")
                            : tr("Posed, not keyed · %1 sets a key of the corrections").arg(m_keyOfKeying));
    else if (isPosed)
        m_keys->setText(m_keyOfKeying.isEmpty() ? tr("Posed, not keyed")
                                                : tr("Posed, not keyed · %1 sets a key").arg(m_keyOfKeying));
    else if (keys != m_keyCount)
        m_keys->setText(tr("%1 (%2 before)").arg(count).arg(m_keyCount));
    else if (m_isPosed || m_keys->text().isEmpty())
        m_keys->setText(count);
    m_isPosed = isPosed || isCorrecting;
    m_keyCount = keys;
}

bool StatusStrip::showMissedGoal(const FrameResult& frame)
{
    const HandleId selected = m_editor.selection().active().handle(); // its reason is the one that is asked for
    const HandleView* worst = nullptr;
    int missed = 0;
    for (const HandleView& view : frame.handles) {
        if (!view.isMissed) continue;
        ++missed;
        const bool isWorse = worst == nullptr || view.result.positionError > worst->result.positionError;
        if (view.handle == selected || (isWorse && (worst == nullptr || worst->handle != selected))) worst = &view;
    }
    const Handle* handle = worst == nullptr ? nullptr : frame.scene->find(worst->handle);
    if (handle == nullptr) return false;
    m_missShown = handle->id;
    if (missed > 1) m_more->setText(QStringLiteral("<a href='more'>+%1</a>").arg(missed - 1));
    // A jump at the same frame is said, too, and first: the miss is seen in the view.
    QString text = missText(frame, *handle, *worst);
    std::vector<Remedy> remedies;
    if (const HandleView* jumping = jumpIn(frame)) {
        text = jumpText(frame, *jumping) + QStringLiteral(" \u00b7 ") + text;
        remedies = remediesForJump(m_editor, frame, *jumping);
    }
    for (Remedy& remedy : remediesForMiss(m_editor, frame, *handle, *worst)) remedies.push_back(std::move(remedy));
    constexpr std::size_t kMostButtons = 4; // more leave no room for the words
    if (remedies.size() > kMostButtons) remedies.resize(kMostButtons);
    showMessage(Severity::Error, text, remedies);
    return true;
}

void StatusStrip::showOtherMisses()
{
    const FramePtr frame = m_editor.frame();
    if (frame == nullptr) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("status.misses"));
    for (const HandleView& view : frame->handles) {
        const Handle* handle = view.isMissed && view.handle != m_missShown ? frame->scene->find(view.handle) : nullptr;
        if (handle == nullptr) continue;
        QString text = QTextDocumentFragment::fromHtml(missText(*frame, *handle, view)).toPlainText();
        menu->addAction(text.replace('&', QStringLiteral("&&")), this,
                        [this, id = view.handle] { m_editor.selection().select(SelectionItem::of(id)); });
    }
    if (menu->isEmpty()) return menu->deleteLater(); // all are met by now
    menu->popup(m_more->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
}

QString StatusStrip::missText(const FrameResult& frame, const Handle& handle, const HandleView& view)
{
    const QString name = QString::fromStdString(handle.name).toHtmlEscaped(),
                  error = lengthText(view.result.positionError);
    const QString reason = QString::fromStdString(reasonOfMiss(*frame.scene, view.result)).toHtmlEscaped(),
                  because = reason.isEmpty() ? QString() : QStringLiteral(": ") + reason;
    if (handle.hasCurve()) return tr("<b>%1</b> leaves its curve by %2%3").arg(name, error, because);
    // Where the position is met, only the rotation is missed.
    const bool isOnlyTurned = view.isOnlyTurned(handle);
    const QString angle = QString::number(view.result.rotationError * kDegrees, 'f', 1);
    return isOnlyTurned && !reason.isEmpty()
               ? tr("<b>%1</b> misses its goal's rotation by %2°%3").arg(name, angle, because)
           : isOnlyTurned      ? tr("<b>%1</b> can't turn to its goal: %2° off").arg(name, angle)
           : !reason.isEmpty() ? tr("<b>%1</b> misses its goal by %2%3").arg(name, error, because)
                               : tr("<b>%1</b> can't reach its goal: %2 short").arg(name, error);
}

const HandleView* StatusStrip::jumpIn(const FrameResult& frame)
{
    const HandleView* largest = nullptr;
    for (const HandleView& view : frame.handles) {
        if (!view.target.isActive() || !view.result.jump || frame.scene->find(view.handle) == nullptr) continue;
        if (largest == nullptr || view.result.jump->size > largest->result.jump->size) largest = &view;
    }
    return largest;
}

QString StatusStrip::jumpText(const FrameResult& frame, const HandleView& view) const
{
    const Handle& handle = *frame.scene->find(view.handle);
    const HandleResult::Jump& jump = *view.result.jump;
    const QString reason = editor::jumpText(handle, jump.reason, jump.cause, m_editor.document().solvers());
    return tr("<b>%1</b> jumps by %2° here: %3")
        .arg(QString::fromStdString(handle.name).toHtmlEscaped())
        .arg(jump.size * kDegrees, 0, 'f', 0)
        .arg(reason.toHtmlEscaped());
}

bool StatusStrip::showHeld(const FrameResult& frame)
{
    const HandleView* view = frame.find(m_editor.selection().active().handle());
    const auto isTold = [](const HandleView& each) { return each.target.isActive() && each.showsFk; };
    if (view == nullptr || !isTold(*view)) {
        const auto first = std::find_if(frame.handles.begin(), frame.handles.end(), isTold);
        view = first == frame.handles.end() ? nullptr : &*first;
    }
    const Handle* handle = view == nullptr ? nullptr : frame.scene->find(view->handle);
    if (handle == nullptr) return false;
    const QString name = QString::fromStdString(handle->name);
    showMessage(
        Severity::Warning,
        tr("<b>%1</b> shows its FK pose, %2 short: its goal is out of reach, and no earlier frame has a pose "
           "to hold")
            .arg(name.toHtmlEscaped(), lengthText(view->result.positionError)),
        {{tr("Stretch toward it"), tr("Straighten the chain toward the goal instead of holding a pose"), [this, name] {
              (void)m_editor.document().apply({{"op", "setHandle"}, {"name", name}, {"unreachable", "stretch"}});
          }}});
    return true;
}

bool StatusStrip::showSoftReach(const FrameResult& frame)
{
    const HandleView* view = frame.find(m_editor.selection().active().handle());
    const Handle* handle = view == nullptr || !view->isSoft ? nullptr : frame.scene->find(view->handle);
    if (handle == nullptr) return false;
    const QString name = QString::fromStdString(handle->name);
    showMessage(Severity::Info,
                tr("Soft reach holds <b>%1</b> back: %2 short")
                    .arg(name.toHtmlEscaped(), lengthText(view->result.positionError)),
                {{tr("Reach fully"), tr("Turn soft reach off for this handle"), [this, name] {
                      (void)m_editor.document().apply({{"op", "setHandle"}, {"name", name}, {"soft", 0}});
                  }}});
    return true;
}

bool StatusStrip::showCaution(const FrameResult& frame)
{
    if (const HandleView* jumping = jumpIn(frame)) {
        showMessage(Severity::Warning, jumpText(frame, *jumping), remediesForJump(m_editor, frame, *jumping));
        return true;
    }
    const HandleView* shown = nullptr; // one that is too fast, else that is nearest to its pole's line, else the first
    const auto order = [](const HandleView& view) {
        return view.result.tooFast ? -1.0 : view.result.nearPole.value_or(std::numbers::pi);
    };
    for (const HandleView& view : frame.handles) {
        if (!view.target.isActive() || cautionOf(*frame.scene, view.result).empty()) continue;
        if (shown == nullptr || order(view) < order(*shown)) shown = &view;
    }
    const Handle* handle = shown == nullptr ? nullptr : frame.scene->find(shown->handle);
    if (handle == nullptr) return false;
    showMessage(Severity::Warning,
                tr("<b>%1</b>: %2")
                    .arg(QString::fromStdString(handle->name).toHtmlEscaped(),
                         QString::fromStdString(cautionOf(*frame.scene, shown->result))),
                remediesForHaste(m_editor, *shown));
    return true;
}

bool StatusStrip::showBrokenSolver(const FrameResult& frame)
{
    const auto broken = std::find_if(frame.handles.begin(), frame.handles.end(), [](const HandleView& view) {
        return view.target.isActive() && view.result.status == sdk::Status::NumericalFailure;
    });
    if (broken == frame.handles.end()) return false;
    const Handle* handle = frame.scene->find(broken->handle);
    if (handle == nullptr) return false;
    const SolverRegistry& solvers = m_editor.document().solvers();
    const auto nameFor = [&](std::string_view alias) {
        const SolverInfo* info = solvers.find(alias);
        return info == nullptr ? QString() : QString::fromStdString(info->name);
    };
    const QString name = QString::fromStdString(handle->name), usual = nameFor(SolverRegistry::kDefaultAlias);
    showMessage(Severity::Error,
                tr("<b>%1</b> gave invalid values for %2; its joints fall back to FK")
                    .arg(nameFor(handle->solver).toHtmlEscaped(), name.toHtmlEscaped()),
                {{tr("Use %1").arg(usual), tr("Solve this handle with %1").arg(usual), [this, name] {
                      const QString alias = QString::fromLatin1(SolverRegistry::kDefaultAlias.data());
                      (void)m_editor.document().apply({{"op", "setHandle"}, {"name", name}, {"solver", alias}});
                  }}});
    return true;
}

void StatusStrip::showMessage(Severity severity, const QString& richText, const std::vector<Remedy>& fixes)
{
    if (richText == m_closed) {
        m_frame->hide();
        return;
    }
    m_frame->show();
    const MarkLook look = lookOf(markOf(severity));
    if (m_frame->property("message") != look.message) {
        m_frame->setProperty("message", look.message);
        m_frame->style()->unpolish(m_frame);
        m_frame->style()->polish(m_frame);
        m_icon->setPixmap(iconPixmap(look.icon, look.token, Theme::instance().px(16), devicePixelRatioF()));
        m_icon->setAccessibleName(look.word);
    }
    if (richText == m_shown && m_fixes->count() == static_cast<int>(fixes.size())) return;
    m_shown = richText;
    m_text->setText(richText);
    // Reuse the buttons: one that is being pressed must not be deleted.
    while (m_fixes->count() > static_cast<int>(fixes.size())) {
        QLayoutItem* item = m_fixes->takeAt(m_fixes->count() - 1);
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        QPushButton* button = nullptr;
        if (static_cast<int>(i) < m_fixes->count()) {
            button = qobject_cast<QPushButton*>(m_fixes->itemAt(static_cast<int>(i))->widget());
            disconnect(button, &QPushButton::clicked, this,
                       nullptr); // only this signal: styles are connected to the button as well
        } else {
            m_fixes->addWidget(button = new QPushButton);
            button->setFocusPolicy(Qt::TabFocus); // by itself it never has the keys that are the view's
        }
        button->setText(fixes[i].text);
        button->setToolTip(fixes[i].tip);
        button->setObjectName(QStringLiteral("fix.%1").arg(i));
        connect(button, &QPushButton::clicked, this, fixes[i].run);
    }
}

void StatusStrip::hideMessage()
{
    m_frame->hide();
    m_shown.clear();
}

} // namespace tendon::editor
