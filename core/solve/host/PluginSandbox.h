#pragma once

namespace tendon::host {

/// What confines the process of a foreign plugin.
struct PluginSandbox
{
    bool hasSystemCallFilter = false; ///< seccomp; false: the kernel, or a container around us, does not allow it
    bool hasFileRules = false;        ///< landlock, a second lock behind the filter
};

/// Confines this process, all its threads and what it loads from now on, for good and as far as the kernel allows. It
/// may use memory and threads, load libraries, read files, and write to what it has open. It cannot write, create,
/// change or remove a file, run a program, start a process, signal or look into another, or reach a network: such calls
/// fail with EPERM. Under sanitizers, which need more than that, nothing is confined.
PluginSandbox confinePlugin();

} // namespace tendon::host
