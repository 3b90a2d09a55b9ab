// make_mannequin FILE: writes the mannequin as a project. Runs while Tendon is built.

#include "resources/samples/mannequin/Mannequin.h"

#include <cstdio>

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_mannequin FILE.tendon\n");
        return 2;
    }
    const auto project = tendon::mannequin::makeProject();
    const auto written = project ? tendon::writeProject(*project, argv[1]) : tendon::Result<void>(project.error());
    if (!written) std::fprintf(stderr, "make_mannequin: %s\n", written.error().text().c_str());
    return written ? 0 : 1;
}
