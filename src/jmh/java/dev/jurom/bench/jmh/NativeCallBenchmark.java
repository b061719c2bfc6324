// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import com.github.luben.zstd.Zstd;
import dev.jurom.core.internal.DirectCalls;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of transitions between Java and C: calls of the hot path that do nothing. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NativeCallBenchmark {

    /** {@code bsearch} of one element calls back once. */
    private static final MethodHandle BSEARCH = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("bsearch").orElseThrow(),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.ADDRESS));

    private static final MemorySegment COMPARE = compare();

    private final MemorySegment element = Arena.global().allocate(1);

    /** Called by JMH. */
    public NativeCallBenchmark() {}

    private static MemorySegment compare() {
        try {
            var type = MethodType.methodType(int.class, long.class, long.class);
            return Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup().findStatic(NativeCallBenchmark.class, "compare", type),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                            Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static int compare(long left, long right) {
        return 0;
    }

    /** Loads the library. */
    @Setup
    public void load() {
        DocaRuntime.current();
    }

    /** Calls {@code doca_task_submit} with a null task. */
    @Benchmark
    public int downcall() {
        return DirectCalls.submit(0);
    }

    /** Calls {@code doca_task_get_status} with a null task. */
    @Benchmark
    public int criticalDowncall() {
        return DirectCalls.taskStatus(0);
    }

    /** Calls {@code ZSTD_isError} by JNI. */
    @Benchmark
    public boolean jni() {
        return Zstd.isError(0);
    }

    /** A downcall with one upcall. */
    @Benchmark
    public long downcallWithUpcall() throws Throwable {
        var address = element.address();
        return (long) BSEARCH.invokeExact(address, address, 1L, 1L, COMPARE);
    }
}
