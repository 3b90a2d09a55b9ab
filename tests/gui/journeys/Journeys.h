#pragma once

#include <QTest>

#include <memory>
#include <string_view>

namespace tendon::test {

/// Steps that build on each other: after one that fails, the rest are skipped.
class Journey : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        if (m_hasFailed) QSKIP("an earlier step failed");
    }
    void cleanup() { m_hasFailed = m_hasFailed || QTest::currentTestFailed(); }

private:
    bool m_hasFailed = false;
};

[[nodiscard]] std::unique_ptr<QObject> makeFirstRunJourney();     ///< 1: first run, pull a hand
[[nodiscard]] std::unique_ptr<QObject> makeLampJourney();         ///< 2: interactive IK and terminators
[[nodiscard]] std::unique_ptr<QObject> makeMaceJourney();         ///< 3: joint flags
[[nodiscard]] std::unique_ptr<QObject> makeLegJourney();          ///< 4: Auto Key
[[nodiscard]] std::unique_ptr<QObject> makeTelescopeJourney();    ///< 5: precedence, ease and damping
[[nodiscard]] std::unique_ptr<QObject> makeCharacterJourney();    ///< 6: import, animate, export
[[nodiscard]] std::unique_ptr<QObject> makeTreeJourney();         ///< 8: several goals, weights, methods
[[nodiscard]] std::unique_ptr<QObject> makeHardCasesJourney();    ///< 10: hard cases, crash, batch
[[nodiscard]] std::unique_ptr<QObject> makeClipsJourney();        ///< clips and their keys
[[nodiscard]] std::unique_ptr<QObject> makeHandJourney();         ///< pull anything, by mouse and by keys
[[nodiscard]] std::unique_ptr<QObject> makeWatchJourney();        ///< solvers at work, step by step
[[nodiscard]] std::unique_ptr<QObject> makeSeeJourney();          ///< ghosts, trails, cameras, what is hidden, a film
[[nodiscard]] std::unique_ptr<QObject> makeMotionJourney();       ///< a motion of another skeleton, taken over
[[nodiscard]] std::unique_ptr<QObject> makeOwnCharacterJourney(); ///< an FBX: rigged, keyed, retargeted, exported
[[nodiscard]] std::unique_ptr<QObject> makeConstraintsJourney();  ///< parent, aim and copy constraints
[[nodiscard]] std::unique_ptr<QObject> makeLargeModel(); ///< no journey: the window never blocks its events for long
[[nodiscard]] std::unique_ptr<QObject> makeMonkey();     ///< no journey: random input from a seed
[[nodiscard]] std::unique_ptr<QObject> makePictures();   ///< no test: pictures of everything, to be looked at

struct JourneyEntry
{
    std::string_view name;
    std::unique_ptr<QObject> (*make)();
};
inline constexpr JourneyEntry kJourneys[] = {{"first_run", makeFirstRunJourney},
                                             {"lamp", makeLampJourney},
                                             {"mace", makeMaceJourney},
                                             {"leg", makeLegJourney},
                                             {"telescope", makeTelescopeJourney},
                                             {"character", makeCharacterJourney},
                                             {"tree", makeTreeJourney},
                                             {"hard_cases", makeHardCasesJourney},
                                             {"clips", makeClipsJourney},
                                             {"watch", makeWatchJourney},
                                             {"hand", makeHandJourney},
                                             {"see", makeSeeJourney},
                                             {"constraints", makeConstraintsJourney},
                                             {"large_model", makeLargeModel},
                                             {"motion", makeMotionJourney},
                                             {"own_character", makeOwnCharacterJourney},
                                             {"monkey", makeMonkey},
                                             {"pictures", makePictures}};

} // namespace tendon::test
