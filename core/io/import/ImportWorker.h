#pragma once

namespace tendon {

/// The hidden argument that makes a program of ours the import child.
inline constexpr const char* kImportWorkerArgument = "--import-worker";

/// The import child: the only place where foreign model files are parsed. To be called first thing in main() when
/// argv[1] is kImportWorkerArgument; returns the exit code. Limits itself (memory, processor time, no core file), reads
/// one model and writes the outcome to standard output. Arguments after the first are between importModel() and this
/// function.
int runImportWorker(int argc, char** argv);

} // namespace tendon
