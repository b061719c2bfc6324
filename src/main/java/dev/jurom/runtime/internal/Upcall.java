// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Upcall stubs that allow this class loader to be collected. The JVM refers to the method of a stub
 * until the stub is freed, and C may call the stub at any time. Therefore a stub is never freed and
 * refers to its method weakly: once the class loader is collected, a call has no effect and returns
 * 0.
 */
public final class Upcall {

    private static final MethodHandle GET;
    private static final MethodHandle OR_ELSE;

    /** Keeps the methods reachable as long as this class, and so its class loader. */
    private static final Set<MethodHandle> METHODS = ConcurrentHashMap.newKeySet();

    static {
        try {
            GET = MethodHandles.publicLookup().findVirtual(Reference.class, "get", MethodType.methodType(Object.class));
            OR_ELSE = MethodHandles.publicLookup()
                    .findStatic(Objects.class, "requireNonNullElse", MethodType.genericMethodType(2));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private Upcall() {}

    /**
     * Creates a function that calls a static method.
     *
     * @param lookup a lookup of the class of the method
     * @param method the name of the method, which must not throw exceptions: they would end the JVM
     * @param descriptor the type of the function, and so of the method
     * @return the address of the function, valid until the process ends
     */
    public static MemorySegment to(MethodHandles.Lookup lookup, String method, FunctionDescriptor descriptor) {
        var type = descriptor.toMethodType();
        try {
            var target = lookup.findStatic(lookup.lookupClass(), method, type);
            METHODS.add(target);
            var current = MethodHandles.filterReturnValue(
                    GET.bindTo(new WeakReference<>(target)),
                    MethodHandles.insertArguments(OR_ELSE, 1, MethodHandles.empty(type)));
            var call = MethodHandles.collectArguments(
                    MethodHandles.exactInvoker(type), 0, current.asType(MethodType.methodType(MethodHandle.class)));
            return Linker.nativeLinker().upcallStub(call, descriptor, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(method + " is in " + lookup.lookupClass(), e);
        }
    }
}
