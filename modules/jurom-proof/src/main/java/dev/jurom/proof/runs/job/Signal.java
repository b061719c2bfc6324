// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals to other processes; the JDK sends but two of them. */
enum Signal {
    /** Ends a process at once. */
    KILL(9),
    /** Lets one that was stopped go on. */
    CONT(18),
    /** Has a process stand still. */
    STOP(19);

    private static final MethodHandle KILL_CALL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("kill").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /** Sends it; false if there is no such process. */
    boolean send(long process) {
        try {
            return (int) KILL_CALL.invokeExact((int) process, number) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("kill(2) cannot be called", e);
        }
    }
}
