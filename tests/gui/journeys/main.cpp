#include "tests/gui/journeys/Journeys.h"

#include "app/viewport/Viewport.h"
#include "app/widgets/Style.h"
#include "tests/gui/Profile.h"
#include "tests/gui/journeys/Stalls.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstdio>

/// [ms] The aim is 50, and what a journey has is printed. Generous, as builds with sanitizers run the journeys, too.
constexpr double kMaxStall = 250;

/// tendon_journeys NAME [Qt Test's options]: runs one journey, with a profile of its own.
int main(int argc, char** argv)
{
    tendon::viewport::Viewport::prepareApplication();
    tendon::test::WatchedApplication application(argc, argv);
    const QTemporaryDir profile;
    tendon::test::useFreshProfile(profile.path());
    tendon::editor::installStyle(application);
    const std::string wanted = argc > 1 ? argv[1] : "";
    for (const auto& [name, make] : tendon::test::kJourneys) {
        if (name != wanted) continue;
        const std::unique_ptr<QObject> journey = make();
        argv[1] = argv[0];
        const int failures = QTest::qExec(journey.get(), argc - 1, argv + 1);
        const auto& longest = application.longest();
        std::printf("longest work on one event: %.0f ms (%s)\n", longest.milliseconds, qPrintable(longest.what));
        const bool isTooLong = longest.milliseconds > kMaxStall && wanted != "pictures"; // which scales the window
        return failures + (isTooLong ? 1 : 0);
    }
    std::fprintf(stderr, "there is no journey \"%s\"\n", wanted.c_str());
    return 2;
}
