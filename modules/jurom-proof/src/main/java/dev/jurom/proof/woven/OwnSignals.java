// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals that this process sends itself: a JVM has no other way to be killed or stopped. */
final class OwnSignals {

    private static final int SIGKILL = 9;
    private static final int SIGSTOP = 19;

    private final MethodHandle raise;

    OwnSignals() {
        var linker = Linker.nativeLinker();
        raise = linker.downcallHandle(
                linker.defaultLookup().find("raise").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    /** Ends this process at once. */
    void kill() {
        raise(SIGKILL);
    }

    /** Stops this process until another continues it. */
    void stop() {
        raise(SIGSTOP);
    }

    private void raise(int signal) {
        try {
            if ((int) raise.invokeExact(signal) != 0) {
                throw new IllegalStateException("the system refuses signal " + signal);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("raise(3) throws nothing", e);
        }
    }
}
