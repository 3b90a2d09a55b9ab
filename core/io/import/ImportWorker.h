#pragma once

namespace tendon {

/// The hidden argument that turns one of our programs into the import child.
inline constexpr const char* kImportWorkerArgument = "--import-worker";

/// The import child, the only place where foreign model files are parsed. main() calls it first if argv[1] is
/// kImportWorkerArgument, and returns its exit code. It limits its own memory and processor time, reads one model and
/// writes the outcome to standard output. The other arguments are private to importModel() and this function.
int runImportWorker(int argc, char** argv);

} // namespace tendon
