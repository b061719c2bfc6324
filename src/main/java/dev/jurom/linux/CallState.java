// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import dev.jurom.abi.posix.posix_h;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The {@code errno} of a call. Functions that set it are bound by hand, from the generated address
 * and descriptor: generated stubs do not capture {@code errno}, and the JVM may have changed it by
 * the time that Java reads it.
 */
public final class CallState {

    /** The memory that a bound function takes as its first argument. */
    public static final StructLayout LAYOUT = Linker.Option.captureStateLayout();

    private static final VarHandle VALUE = LAYOUT.varHandle(PathElement.groupElement("errno"));

    private CallState() {}

    /**
     * Binds a function so that it keeps its {@code errno}.
     *
     * @param address of the function
     * @param descriptor of the function
     * @return a handle whose first argument is a segment of {@link #LAYOUT}
     */
    public static MethodHandle capturing(MemorySegment address, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
    }

    /**
     * Returns the error of the last call.
     *
     * @param state the first argument of that call
     * @return a number such as {@code EAGAIN}
     */
    public static int of(MemorySegment state) {
        return (int) VALUE.get(state, 0L);
    }

    /**
     * Describes an error in words.
     *
     * @param number such as {@code EAGAIN}
     * @return the text of the C library
     */
    public static String text(int number) {
        return posix_h.strerror(number).getString(0);
    }
}
