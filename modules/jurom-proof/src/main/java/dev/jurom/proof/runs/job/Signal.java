// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals to other processes. The JDK can only send SIGTERM and SIGKILL. */
enum Signal {
    /** Kills a process. */
    KILL(9),
    /** Resumes a stopped process. */
    CONT(18),
    /** Stops a process. */
    STOP(19);

    private static final MethodHandle KILL_CALL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("kill").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /** Sends the signal; returns false if it could not be sent, such as to a process that has exited. */
    boolean send(long process) {
        try {
            return (int) KILL_CALL.invokeExact((int) process, number) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("cannot call kill(2)", e);
        }
    }
}
