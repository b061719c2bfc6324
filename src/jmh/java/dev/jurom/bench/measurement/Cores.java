// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Pins threads to cores. */
public final class Cores {

    private static final int SET_SIZE = 128;

    private Cores() {}

    /**
     * Pins the calling thread to a core. Calls {@code sched_setaffinity}.
     *
     * @param core the number of the core; no effect if negative
     */
    public static void pin(int core) {
        if (core < 0) {
            return;
        }
        var linker = Linker.nativeLinker();
        var setAffinity = linker.downcallHandle(
                linker.defaultLookup().find("sched_setaffinity").orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        try (var arena = Arena.ofConfined()) {
            var set = arena.allocate(SET_SIZE, Long.BYTES);
            set.set(ValueLayout.JAVA_BYTE, core / Byte.SIZE, (byte) (1 << core % Byte.SIZE));
            if ((int) setAffinity.invokeExact(0, (long) SET_SIZE, set) != 0) {
                throw new IllegalArgumentException("cannot run on core " + core + ": choose another one with --cores");
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("sched_setaffinity does not throw", e);
        }
    }
}
