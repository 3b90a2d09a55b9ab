#include "app/widgets/graph/KeyClipboard.h"

#include "app/widgets/graph/GraphEdits.h"
#include "core/scene/Check.h"

#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>

namespace tendon::editor {

namespace {

struct ClipboardWords
{
    Q_DECLARE_TR_FUNCTIONS(KeyClipboard)
};

/// One operation for the channels of an object that have the same frames in it.
std::vector<QJsonObject> copyOperations(const GraphState& state, const GraphKeys& keys)
{
    const QString channels = QStringLiteral("channels");
    std::vector<QJsonObject> operations;
    for (const KeyBundle& bundle : wholeKeys(keys)) {
        QJsonObject operation = keyOperation(state, "keysToClipboard", bundle);
        if (!operations.empty()) {
            QJsonObject joined = operation;
            joined.insert(channels, operations.back().value(channels));
            if (joined == operations.back()) {
                QJsonArray both = joined.value(channels).toArray();
                both.append(operation.value(channels).toArray().first());
                operations.back().insert(channels, both);
                continue;
            }
        }
        operations.push_back(operation);
    }
    return operations;
}

void refuse(const GraphState& state, const QString& reason)
{
    state.editor().document().report({{Severity::Warning, reason.toStdString(), {}, 0}});
}

} // namespace

bool copyKeys(GraphState& state, const GraphKeys& keys)
{
    if (keys.empty()) refuse(state, ClipboardWords::tr("Select keys first"));
    bool isAny = false;
    for (QJsonObject& operation : copyOperations(state, keys)) {
        if (isAny) operation.insert(QStringLiteral("add"), true);
        isAny = bool(state.editor().document().apply(operation)) || isAny;
    }
    return isAny;
}

void cutKeys(GraphState& state)
{
    const GraphKeys keys = state.selected();
    if (copyKeys(state, keys)) (void)state.editor().document().applyAsOne(deleteKeys(state, keys));
}

QString whyNoPaste(const GraphState& state)
{
    const auto& keys = state.editor().document().edit().copiedKeys->keys;
    if (keys.empty()) return ClipboardWords::tr("Copy keys first");
    const bool areEdited = std::all_of(keys.begin(), keys.end(),
                                       [&](const auto& each) { return state.isEdited(each.first); });
    if (areEdited) return {};
    return state.editor().document().edit().layer == Layer::Corrections
               ? ClipboardWords::tr("The copied keys are the clip's own. Copy corrections, or choose Keys under Layers")
               : ClipboardWords::tr("The copied keys are corrections. Copy keys of the clip, or choose Corrections "
                                    "under Layers");
}

void pasteKeys(GraphState& state, ObjectId onto)
{
    EditorDocument& document = state.editor().document();
    if (const QString reason = whyNoPaste(state); !reason.isEmpty()) return refuse(state, reason);
    const Shared<CopiedKeys> copied = document.edit().copiedKeys;
    QJsonObject operation{{QStringLiteral("op"), QStringLiteral("pasteKeys")}};
    if (onto != 0) operation.insert(QStringLiteral("onto"), QString::fromStdString(nameOf(document.scene(), onto)));
    if (!document.apply(operation)) return;
    std::int64_t first = INT64_MAX;
    for (const auto& [channel, keys] : copied->keys)
        if (onto != 0 || state.find({channel, 0}) != nullptr) first = std::min(first, keys.front().time.ticks);
    const std::int64_t shift = state.fps().timeOf(document.edit().frame).ticks - first;
    GraphKeys pasted;
    for (const auto& [channel, keys] : copied->keys)
        for (int c = 0; c < componentCount(channel.property); ++c) {
            const CurveId id{{onto != 0 ? onto : channel.target, channel.property, channel.layer}, c};
            const GraphCurve* curve = state.find(id);
            if (curve == nullptr) continue;
            for (const Key& key : keys)
                if (curve->summary->find(key.time.ticks + shift)) pasted[id].insert(key.time.ticks + shift);
        }
    state.select(std::move(pasted));
}

bool handleClipboardKey(const QKeyEvent& event, GraphState& state)
{
    if (event.matches(QKeySequence::Copy))
        (void)copyKeys(state, state.selected());
    else if (event.matches(QKeySequence::Cut))
        cutKeys(state);
    else if (event.matches(QKeySequence::Paste))
        pasteKeys(state);
    else
        return false;
    return true;
}

} // namespace tendon::editor
