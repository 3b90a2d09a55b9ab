#include "app/cli/RenderCommand.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace tendon::cli {
namespace {

struct RenderOptions
{
    std::string project;
    double frame = 0;
    std::string output;
    std::string size = "1280x720";
};

Exit runRender(const RenderOptions&)
{
    return fail({ErrorCode::Unsupported,
                 "pictures are drawn by tendon-editor, which this version does not have yet; `tendon pose` gives the pose "
                 "as numbers and `tendon bake` an animation that any viewer shows",
                 "render"});
}

} // namespace

void addRenderCommand(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<RenderOptions>();
    CLI::App* command = addCommand(app, cli, "render", "Draw a frame as a picture", [options] { return runRender(*options); });
    command->add_option("PROJECT", options->project, "A project (.tendon)")->required();
    command->add_option("--frame", options->frame, "The frame to draw")->required();
    command->add_option("-o,--output", options->output, "The picture to write (.png)")->required();
    command->add_option("--size", options->size, "Width and height in pixels")->capture_default_str();
}

} // namespace tendon::cli
