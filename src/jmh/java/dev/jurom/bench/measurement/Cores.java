// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Keeps threads on cores. */
public final class Cores {

    private static final int SET_SIZE = 128;

    private Cores() {}

    /**
     * Keeps the calling thread on one core. Stands for {@code sched_setaffinity}.
     *
     * @param core which; a negative number leaves the thread where it is
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
                throw new IllegalArgumentException(
                        "There is no core " + core + " to run on: choose another with --cores");
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("sched_setaffinity throws nothing", e);
        }
    }
}
