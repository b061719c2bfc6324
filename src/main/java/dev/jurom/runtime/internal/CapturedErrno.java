// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.abi.posix.posix_h;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The {@code errno} of a native call. Functions that set it are bound by hand, from the generated
 * address and descriptor, because the generated stubs do not capture {@code errno}, and the JVM may
 * change it before Java reads it.
 */
public final class CapturedErrno {

    /** The layout of the first argument of a bound function. */
    public static final StructLayout LAYOUT = Linker.Option.captureStateLayout();

    private static final VarHandle VALUE = LAYOUT.varHandle(PathElement.groupElement("errno"));

    private CapturedErrno() {}

    /**
     * Binds a function so that its {@code errno} is captured.
     *
     * @param address the address of the function
     * @param descriptor the type of the function
     * @return a handle whose first argument is a segment of {@link #LAYOUT}
     */
    public static MethodHandle capturing(MemorySegment address, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
    }

    /**
     * Returns the error of the last call.
     *
     * @param state the first argument of that call
     * @return an error number such as {@code EAGAIN}
     */
    public static int of(MemorySegment state) {
        return (int) VALUE.get(state, 0L);
    }

    /**
     * Returns the description of an error.
     *
     * @param number an error number such as {@code EAGAIN}
     * @return the text of the C library
     */
    public static String text(int number) {
        return posix_h.strerror(number).getString(0);
    }
}
