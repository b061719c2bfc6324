// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A downcall to {@code memcpy} with the size of an answer. One measurement covers many calls, since a call is
 * too short to be timed individually.
 */
final class DowncallMeasurement implements Measurement {

    private static final MethodHandle MEMCPY = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("memcpy").orElseThrow(),
                    FunctionDescriptor.of(
                            ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment from;
    private final MemorySegment to;
    private long size;

    DowncallMeasurement(MeasurementOptions options) {
        size = options.size;
        from = arena.allocate(size).fill(FILLING);
        to = arena.allocate(size).fill((byte) ~FILLING);
    }

    @Override
    public void change(String what, int value) {
        size = from.asSlice(0, value).byteSize();
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.stream(this::call, count);
    }

    private void call(int count) {
        try {
            for (var i = 0; i < count; i++) {
                var ignored = (MemorySegment) MEMCPY.invokeExact(to, from, size);
            }
        } catch (Throwable e) {
            throw new AssertionError("memcpy does not throw", e);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
