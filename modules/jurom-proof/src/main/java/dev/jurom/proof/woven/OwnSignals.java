// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Sends signals to this process, since the JDK cannot kill or stop its own process. */
final class OwnSignals {

    private static final int SIGKILL = 9;
    private static final int SIGSTOP = 19;

    private final MethodHandle raise;

    OwnSignals() {
        var linker = Linker.nativeLinker();
        raise = linker.downcallHandle(
                linker.defaultLookup().find("raise").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        raise(0); // sends no signal: a first call takes milliseconds
    }

    /** Kills this process. */
    void kill() {
        raise(SIGKILL);
    }

    /** Stops this process until another one resumes it. */
    void stop() {
        raise(SIGSTOP);
    }

    private void raise(int signal) {
        try {
            if ((int) raise.invokeExact(signal) != 0) {
                throw new IllegalStateException("raise(3) failed for signal " + signal);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("raise(3) throws nothing", e);
        }
    }
}
