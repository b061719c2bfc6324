// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** SignalSender to other processes, without a process in between that would take its time. */
public final class SignalSender {

    /** No signal: only whether there is such a process. */
    public static final int NONE = 0;
    /** SIGKILL of Linux. */
    public static final int KILL = 9;
    /** SIGCONT of Linux. */
    public static final int CONTINUE = 18;
    /** SIGSTOP of Linux. */
    public static final int STOP = 19;

    @SuppressWarnings("restricted")
    private static final MethodHandle SEND = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("kill").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private SignalSender() {}

    /**
     * Sends a signal.
     *
     * @return whether there was such a process
     */
    public static boolean send(long pid, int signal) {
        if (pid <= 1) {
            throw new IllegalArgumentException("No process of ours has the id " + pid);
        }
        try {
            return (int) SEND.invokeExact((int) pid, signal) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("kill cannot be called", e);
        }
    }
}
