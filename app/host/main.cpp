#include "core/solve/PluginFile.h"
#include "core/solve/host/PluginHost.h"

int main(int argc, char** argv) { return tendon::host::runPluginHost(argc, argv, tendon::loadPlugin); }
