// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the handwritten descriptors, which pass a 64-bit integer where C passes {@code union doca_data} by
 * value, against functions of the same types compiled by the C compiler.
 */
class UnionByValueTest {

    private static final String LIBRARY = """
            #include <doca_pe.h>
            #include <doca_ctx.h>

            uint64_t take(void *object, union doca_data data)
            {
                return object == NULL ? data.u64 : data.u64 ^ (uint64_t)object;
            }

            void call_completion(doca_task_completion_cb_t callback, uint64_t a, uint64_t b, uint64_t c)
            {
                callback((struct doca_task *)a, (union doca_data){ .u64 = b },
                        (union doca_data){ .ptr = (void *)c });
            }

            void call_state_changed(doca_ctx_state_changed_callback_t callback, uint64_t a, uint64_t b)
            {
                callback((union doca_data){ .u64 = a }, (struct doca_ctx *)b, DOCA_CTX_STATE_RUNNING,
                        DOCA_CTX_STATE_STOPPING);
            }
            """;

    private static final long A = 0x0123456789abcdefL;
    private static final long B = 0xfedcba9876543210L;
    private static final long C = 0x8000000000000001L;

    private static long[] received;

    @TempDir
    private Path folder;

    @Test
    void an_argument_arrives_in_c() throws Throwable {
        try (var arena = Arena.ofConfined()) {
            var take = Linker.nativeLinker()
                    .downcallHandle(
                            library(arena).find("take").orElseThrow(),
                            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG),
                            Linker.Option.critical(false));

            assertEquals(A ^ B, (long) take.invokeExact(A, B));
            assertEquals(C, (long) take.invokeExact(0L, C));
        }
    }

    @Test
    void a_completion_callback_receives_both_unions() throws Throwable {
        try (var arena = Arena.ofConfined()) {
            var stub = Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            UnionByValueTest.class,
                                            "completed",
                                            MethodType.methodType(void.class, long.class, long.class, long.class)),
                            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG),
                            arena);
            var call = Linker.nativeLinker()
                    .downcallHandle(
                            library(arena).find("call_completion").orElseThrow(),
                            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG));

            call.invokeExact(stub, A, B, C);

            assertArrayEquals(new long[] {A, B, C}, received);
        }
    }

    @Test
    void a_state_changed_callback_receives_its_union_and_both_states() throws Throwable {
        try (var arena = Arena.ofConfined()) {
            var stub = Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            UnionByValueTest.class,
                                            "stateChanged",
                                            MethodType.methodType(
                                                    void.class, long.class, long.class, int.class, int.class)),
                            FunctionDescriptor.ofVoid(
                                    JAVA_LONG,
                                    JAVA_LONG,
                                    java.lang.foreign.ValueLayout.JAVA_INT,
                                    java.lang.foreign.ValueLayout.JAVA_INT),
                            arena);
            var call = Linker.nativeLinker()
                    .downcallHandle(
                            library(arena).find("call_state_changed").orElseThrow(),
                            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG));

            call.invokeExact(stub, A, B);

            assertArrayEquals(new long[] {A, B, 2, 3}, received);
        }
    }

    private static void completed(long task, long taskData, long contextData) {
        received = new long[] {task, taskData, contextData};
    }

    private static void stateChanged(long data, long context, int previous, int next) {
        received = new long[] {data, context, previous, next};
    }

    private SymbolLookup library(Arena arena) throws IOException {
        var source = folder.resolve("unions.c");
        var library = folder.resolve("libunions.so");
        Files.writeString(source, LIBRARY);
        Command.run(
                "cc",
                "-std=c11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-O2",
                "-fPIC",
                "-shared",
                "-I" + Command.ROOT.resolve("headers"),
                "-o",
                library.toString(),
                source.toString());
        return SymbolLookup.libraryLookup(library, arena);
    }
}
