// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Describes how a process has ended. */
final class ExitText {

    /** An exit status above this means a signal. */
    private static final int SIGNALLED = 128;

    /** The exit status after SIGKILL. */
    static final int KILLED = SIGNALLED + 9;

    /** Those by which programs crash; a JVM, for instance, aborts after it has printed a report. */
    private static final Set<String> CRASHES = Set.of("ILL", "TRAP", "ABRT", "BUS", "FPE", "SEGV", "SYS");

    private static final List<String> SIGNALS = List.of(
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
            "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
            "WINCH", "IO", "PWR", "SYS");

    private ExitText() {}

    /**
     * Returns the rest of a sentence that begins with "The worker".
     *
     * @param exitStatus its exit code, or 128 plus the signal
     * @param callback the callback of a plugin that it was executing, if any
     * @param output the places of its output and of a core, for a worker that has crashed
     */
    static String of(int exitStatus, Optional<String> callback, Supplier<String> output) {
        var during = callback.map(name -> " while it ran " + name).orElse("");
        var signal = exitStatus - SIGNALLED;
        if (signal < 1 || signal > SIGNALS.size()) {
            return "exited with code " + exitStatus + during;
        }
        var name = SIGNALS.get(signal - 1);
        return "was ended by signal " + signal + " (SIG" + name + ")" + during
                + (CRASHES.contains(name) ? "; " + output.get() : "");
    }
}
