// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/**
 * What a context is in C: an object of its library, seen as a {@code struct doca_ctx} too.
 *
 * @param object the library's object
 * @param context the same as {@code struct doca_ctx}
 * @param destroyFunction the name of the function that destroys it
 * @param destroy that function
 */
public record NativeContext(MemorySegment object, MemorySegment context, String destroyFunction,
        ToIntFunction<MemorySegment> destroy) {
}
