// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.util.List;

/** Describes how a process has ended. */
final class ExitText {

    /** An exit status above this means a signal. */
    private static final int SIGNALLED = 128;

    /** Raised by programs that abort, such as a JVM that has crashed, after they have printed why. */
    private static final int ABORT = 6;

    private static final List<String> SIGNALS = List.of(
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
            "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
            "WINCH", "IO", "PWR", "SYS");

    private ExitText() {}

    /** Returns the rest of a sentence that begins with "The worker". */
    static String of(int exitStatus) {
        var signal = exitStatus - SIGNALLED;
        return signal >= 1 && signal <= SIGNALS.size()
                ? "was ended by signal " + signal + " (SIG" + SIGNALS.get(signal - 1) + ")"
                        + (signal == ABORT ? ": its log has the report" : "")
                : "exited with code " + exitStatus;
    }
}
