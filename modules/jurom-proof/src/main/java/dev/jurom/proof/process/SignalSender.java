// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Sends signals by kill(2), without the delay of starting a {@code kill} process. */
public final class SignalSender {

    /** No signal: checks only whether the process exists. */
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
     * @return whether the process exists
     */
    public static boolean send(long pid, int signal) {
        if (pid <= 1) {
            throw new IllegalArgumentException("invalid process id " + pid);
        }
        try {
            return (int) SEND.invokeExact((int) pid, signal) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("cannot call kill(2)", e);
        }
    }
}
