#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/graph/GraphCurves.h"

#include <QObject>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tendon::editor {

/// Keys of curves by their times [ticks].
using GraphKeys = std::map<CurveId, std::set<std::int64_t>>;

/// What the views of keys share: the curves of the selected objects or of all, which of them are shown, active and
/// isolated, and which keys are selected. Not part of the document; undo and redo give back the keys that were selected
/// then. No widget.
class GraphState : public QObject
{
    Q_OBJECT
public:
    enum class Scope { Selected, All }; ///< curves of the selected objects, as the graph shows them; of all objects

    explicit GraphState(Editor& editor, Scope scope = Scope::Selected, QObject* parent = nullptr);

    /// From now on the keys that are selected here are those that are selected in `all`, and the other way round, as
    /// far as their curves are in both. `all` is of all objects, and outlives this.
    void shareSelection(GraphState& all);

    [[nodiscard]] Editor& editor() const { return m_editor; }
    [[nodiscard]] FrameRate fps() const { return m_editor.document().scene().fps; }
    [[nodiscard]] const std::vector<GraphCurve>& curves() const { return m_curves.all(); }
    [[nodiscard]] const GraphCurve* find(const CurveId& id) const { return m_curves.find(id); }
    [[nodiscard]] std::uint64_t curvesRevision() const { return m_curves.revision(); } ///< grows when curves change
    /// The curves that are drawn, and whose keys can be picked.
    [[nodiscard]] std::vector<const GraphCurve*> shown() const;
    [[nodiscard]] bool isShown(const CurveId& id) const;
    /// Whether keys of a channel can be picked and worked on: those of the layer that is edited. Those of the other one
    /// are shown, fainter.
    [[nodiscard]] bool isEdited(ChannelId channel) const
    {
        return layerOf(channel) == m_editor.document().edit().layer;
    }
    [[nodiscard]] Layer layerOf(ChannelId channel) const; ///< the weight goes with the corrections
    [[nodiscard]] bool isHidden(const CurveId& id) const { return m_hidden.count(id) != 0; }
    void setHidden(const std::vector<CurveId>& curves, bool isHidden);

    /// Active curves are drawn wider; what has no keys selected, such as framing and filters, works on them.
    [[nodiscard]] bool isActive(const CurveId& id) const { return m_active.count(id) != 0; }
    [[nodiscard]] const std::set<CurveId>& active() const { return m_active; }
    void setActive(const std::vector<CurveId>& curves, bool isAdded = false);

    [[nodiscard]] bool isIsolating() const { return m_isIsolating; } ///< only active curves are shown
    void setIsolating(bool isOn);
    [[nodiscard]] bool isNormalised() const { return m_isNormalised; } ///< every curve from -1 to 1
    void setNormalised(bool isOn);
    /// Moved keys stop at whole frames: the same wherever the selection is shared.
    [[nodiscard]] bool snaps() const { return m_all != nullptr ? m_all->snaps() : m_snaps; }
    void setSnaps(bool isOn);

    [[nodiscard]] bool hasLasso() const { return m_hasLasso; } ///< keys are selected with a lasso instead of a box
    void setLasso(bool isOn);
    [[nodiscard]] bool hasTransformBox() const { return m_hasBox; } ///< around the selected keys, to scale them
    void setTransformBox(bool isOn);
    [[nodiscard]] bool isWeighted() const { return m_isWeighted; } ///< dragged tangents change their length, too
    void setWeighted(bool isOn);
    /// Curves as they were when they were put there, drawn behind to compare with.
    [[nodiscard]] const std::vector<GraphCurve>& buffer() const { return m_buffer; }
    [[nodiscard]] bool isBuffered() const { return !m_buffer.empty(); }
    void setBuffered(bool isOn);
    void setBuffer(std::vector<GraphCurve> curves);

    [[nodiscard]] const GraphKeys& selected() const { return m_selected; }
    [[nodiscard]] std::size_t selectedCount() const;                                      ///< of all components
    [[nodiscard]] std::uint64_t selectionRevision() const { return m_selectionRevision; } ///< grows when it changes
    [[nodiscard]] bool isSelected(const CurveId& id, std::int64_t ticks) const;
    void select(GraphKeys keys, bool isAdded = false);
    void toggle(const CurveId& id, std::int64_t ticks);
    /// What a command works on: the selected keys, else all of the active curves, else all that are shown.
    [[nodiscard]] GraphKeys chosen() const;
    /// Whether a command that needs no selected keys works on a curve: if keys are selected, on their curves; else on
    /// active curves, or if there are none, on all that are shown; among those of all objects, on the selected ones'.
    [[nodiscard]] bool isChosen(const CurveId& id) const;
    void selectAll(); ///< keys of the active curves, or of all that are shown
    /// Selected keys that a running drag has taken to other places, until the document has them there or had them.
    void holdSelection(bool isHeld);

    /// A channel's value as it is shown, and back.
    [[nodiscard]] double shownValue(const GraphCurve& curve, double value) const;
    [[nodiscard]] double channelValue(const GraphCurve& curve, double shown) const;
    /// Shown values of the keys, or of all keys of shown curves if none are given; none = there is none.
    struct Extent
    {
        double firstFrame, lastFrame, low, high;
    };
    [[nodiscard]] std::optional<Extent> extentOf(const GraphKeys& keys) const;
    [[nodiscard]] std::optional<Extent> extentOfShown(bool onlyActive) const;

signals:
    void changed();        ///< anything that the parts show
    void curvesReplaced(); ///< the curves of other objects
    void scaleChanged();   ///< shown values are others, of the same curves
    void picked();         ///< keys have been selected here, not by what has become of them

private:
    void rebuild();
    void normalise();
    void prune();
    [[nodiscard]] bool areThere(const GraphKeys& keys) const;
    void recall();                    ///< after undo and redo, what was selected in that scene when it was left
    void pick();                      ///< tells of a selection that was made here
    void take(const GraphKeys& keys); ///< selects those of them that are shown and edited

    struct Normal
    {
        double middle = 0, half = 1;
    };
    Editor& m_editor;
    const Scope m_scope;
    GraphState* m_all = nullptr; ///< that the selection is shared with
    std::uint64_t m_selectionRevision = 0, m_prunedFor = 0;
    GraphCurves m_curves;
    std::vector<ObjectId> m_objects;
    std::set<CurveId> m_hidden, m_active;
    std::map<CurveId, Normal> m_normals;
    GraphKeys m_selected;
    std::vector<GraphCurve> m_buffer;
    bool m_isIsolating = false, m_isNormalised = false, m_snaps = true, m_hasLasso = false, m_hasBox = false;
    bool m_isWeighted = false;
    bool m_isHeld = false;
    std::optional<GraphKeys> m_heldFrom;             ///< selected before what is held has moved
    std::uint64_t m_scene = 0;                       ///< of the history, that the selection belongs to
    std::map<std::uint64_t, GraphKeys> m_selectedIn; ///< other scenes of the history, when they were left
};

} // namespace tendon::editor
