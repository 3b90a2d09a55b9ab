#include "app/widgets/retarget/RetargetMessages.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/retarget/RetargetBody.h"
#include "core/scene/Check.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tendon::editor {

QFrame* messageOf(Mark mark, const QString& text, const QList<QPushButton*>& buttons)
{
    const Theme& theme = Theme::instance();
    const MarkLook look = lookOf(mark);
    auto* frame = new QFrame;
    frame->setProperty("message", look.message);
    frame->setAccessibleName(QStringLiteral("%1: %2").arg(look.word, text));
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(theme.px(10), theme.px(8), theme.px(8), theme.px(8));
    row->setSpacing(theme.px(8));
    auto* picture = new QLabel;
    picture->setPixmap(iconPixmap(QLatin1StringView(look.icon), QLatin1StringView(look.token), theme.px(14),
                                  frame->devicePixelRatioF()));
    row->addWidget(picture, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(theme.px(6));
    auto* words = new QLabel(text);
    words->setWordWrap(true);
    words->setTextFormat(Qt::PlainText);
    column->addWidget(words);
    if (!buttons.isEmpty()) {
        auto* line = new QHBoxLayout;
        for (QPushButton* button : buttons) line->addWidget(button);
        line->addStretch(1);
        column->addLayout(line);
    }
    row->addLayout(column, 1);
    return frame;
}

QString passedLimitsOf(const RetargetPreview& preview, const Scene& character)
{
    if (preview.limits.empty()) return {};
    const auto worst = std::max_element(
        preview.limits.begin(), preview.limits.end(),
        [](const LimitHit& one, const LimitHit& other) { return one.frames < other.frames; });
    const double by = worst->isSlide ? worst->worst * 1000 : worst->worst * 180 / M_PI;
    const QString size = worst->isSlide ? RetargetBody::tr("%1 mm").arg(by, 0, 'f', 1)
                                        : RetargetBody::tr("%1°").arg(by, 0, 'f', 1);
    const int others = static_cast<int>(preview.limits.size()) - 1;
    const QString text = worst->frames == 1
                             ? RetargetBody::tr("%1 goes beyond its limit on 1 frame, by %2 at frame %3")
                             : RetargetBody::tr("%1 goes beyond its limit on %n frames, most by %2 at frame %3",
                                                nullptr, worst->frames);
    QString said = text.arg(QString::fromStdString(nameOf(character, worst->joint.value)), size)
                       .arg(std::lround(worst->worstFrame));
    if (others == 1) said += RetargetBody::tr("; so does 1 other joint");
    if (others > 1) said += RetargetBody::tr("; so do %n other joints", nullptr, others);
    return said + u'.';
}

} // namespace tendon::editor
