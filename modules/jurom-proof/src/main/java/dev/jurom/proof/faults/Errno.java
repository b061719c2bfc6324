// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.stream.LongStream;

/** The symbolic names of error numbers, from the C library. */
final class Errno {

    private static final int MAX = 133; // EHWPOISON
    private static final int LONGEST_NAME = 32;
    private static final MethodHandle NAME = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker()
                            .defaultLookup()
                            .find("strerrorname_np")
                            .orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    private Errno() {}

    /** Returns the name of an error, or its number if it has no name. */
    static String name(long number) {
        try {
            var name = (MemorySegment) NAME.invokeExact((int) number);
            return name.equals(MemorySegment.NULL)
                    ? Long.toString(number)
                    : name.reinterpret(LONGEST_NAME).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("cannot call strerrorname_np(3)", e);
        }
    }

    /**
     * Returns the number of an error.
     *
     * @param word its name or number
     * @throws NumberFormatException if it is neither
     */
    static long number(String word) {
        return LongStream.rangeClosed(1, MAX)
                .filter(number -> name(number).equals(word))
                .findFirst()
                .orElseGet(() -> Long.parseLong(word));
    }
}
