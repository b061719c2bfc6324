// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The CPU time of this process. The JDK's own method counts in steps of 10 ms. */
final class CpuClock {

    private static final int PROCESS_CPU_TIME = 2; // CLOCK_PROCESS_CPUTIME_ID
    private static final double SECOND = 1e9; // nanoseconds
    private static final MemorySegment TIME = Arena.global().allocate(ValueLayout.JAVA_LONG, 2);
    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("clock_gettime").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private CpuClock() {}

    /** Returns the CPU time of all threads in nanoseconds. For one thread at a time. */
    static double nanos() {
        try {
            if ((int) CLOCK_GETTIME.invokeExact(PROCESS_CPU_TIME, TIME) != 0) {
                throw new IllegalStateException("the CPU time of this process cannot be read");
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // the native function does not throw
        }
        return TIME.getAtIndex(ValueLayout.JAVA_LONG, 0) * SECOND + TIME.getAtIndex(ValueLayout.JAVA_LONG, 1);
    }
}
