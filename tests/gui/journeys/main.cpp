#include "tests/gui/journeys/Journeys.h"

#include "app/viewport/Viewport.h"
#include "app/widgets/Style.h"
#include "tests/gui/Profile.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdio>

/// tendon_journeys NAME [Qt Test's options]: runs one journey, with a profile of its own.
int main(int argc, char** argv)
{
    tendon::viewport::Viewport::prepareApplication();
    QApplication application(argc, argv);
    const QTemporaryDir profile;
    tendon::test::useFreshProfile(profile.path());
    tendon::editor::installStyle(application);
    const std::string wanted = argc > 1 ? argv[1] : "";
    for (const auto& [name, make] : tendon::test::kJourneys) {
        if (name != wanted) continue;
        const std::unique_ptr<QObject> journey = make();
        argv[1] = argv[0];
        return QTest::qExec(journey.get(), argc - 1, argv + 1);
    }
    std::fprintf(stderr, "there is no journey \"%s\"\n", wanted.c_str());
    return 2;
}
