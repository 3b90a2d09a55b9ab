#include "core/io/base/Files.h"
#include "tests/support/RandomScene.h"

#include <cstdio>

using namespace tendon;

/// write_projects FOLDER: writes random projects, which check_schema.py compares with the schema.
int main(int argc, char** argv)
{
    if (argc != 2) return 2;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        Project project = test::randomProject(random, 5);
        auto model = std::make_shared<ModelAsset>();
        model->source.format = "glb";
        if (seed % 2 == 0)
            model->source.path = "/models/a.glb";
        else
            model->source.embedded = std::make_shared<const std::vector<std::uint8_t>>(100, std::uint8_t{7});
        model->source.sha256 = sha256("a");
        if (seed % 3 == 0) model->metresPerUnit = 0.01, model->upAxis = 2;
        if (seed % 5 != 0) project.scene.model = model;
        const auto written = writeProject(project, std::string(argv[1]) + "/" + std::to_string(seed) + ".tendon");
        if (!written) {
            std::fprintf(stderr, "%s\n", written.error().text().c_str());
            return 1;
        }
    }
    return 0;
}
