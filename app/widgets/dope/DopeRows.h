#pragma once

#include "app/widgets/graph/GraphState.h"
#include "app/widgets/time/KeyTimes.h"

#include <QString>

#include <memory>
#include <set>
#include <vector>

namespace tendon::editor {

/// A row of the dope sheet: the summary, an object, or what it has keys of: one number, or a whole rotation.
struct DopeRow
{
    QString text;
    ObjectId target = 0;         ///< 0 = the summary
    std::vector<CurveId> curves; ///< whose keys it shows
    bool isChannel = false;
    bool isOpen = false;
    bool isBlend = false; ///< the IK blend of a handle: drawn as IK and FK
    int axis = -1;        ///< 0, 1 or 2: X, Y or Z, a letter before the text
    std::shared_ptr<const KeyTimes::Ticks> ticks;
    std::shared_ptr<const KeyTimes::Ticks> ownTicks;        ///< without those of corrections; null: there are none
    std::shared_ptr<const KeyTimes::Ticks> correctionTicks; ///< those alone; null = there are none
    /// Those in the layer that is edited, which alone can be picked; null = all of them are.
    std::shared_ptr<const KeyTimes::Ticks> editedTicks;

    [[nodiscard]] const KeyTimes::Ticks* picked() const
    {
        return editedTicks != nullptr ? editedTicks.get() : ticks.get();
    }
};

/// The rows by what is folded out and what is filtered, with their keys.
class DopeRows
{
public:
    void rebuild(const GraphState& state);
    void setFilter(const QString& text) { m_filter = text; }
    void setOnlySelected(bool isOn) { m_onlySelected = isOn; }
    [[nodiscard]] bool onlySelected() const { return m_onlySelected; }
    void fold(ObjectId object); ///< out or in
    void foldAll(const GraphState& state, bool isOut);
    void clear() { m_open.clear(); }

    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] const DopeRow& operator[](int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    /// The keys of a row from one time to another [ticks], both included.
    [[nodiscard]] static GraphKeys keysOf(const GraphState& state, const DopeRow& row, std::int64_t from,
                                          std::int64_t to);

private:
    std::vector<DopeRow> m_rows;
    KeyTimes m_times;
    std::set<ObjectId> m_open;
    QString m_filter;
    bool m_onlySelected = false;
};

} // namespace tendon::editor
