// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/**
 * What a task is in C: an object of its library, seen as a {@code struct doca_task} too.
 *
 * @param object the library's object
 * @param task the same as {@code struct doca_task}
 * @param response the {@code struct doca_buf} of a command's answer; null pointer for other tasks
 * @param releaseFunction the name of the function that releases it
 * @param release that function, which is given {@code object}
 */
public record NativeTask(MemorySegment object, MemorySegment task, MemorySegment response,
        String releaseFunction, ToIntFunction<MemorySegment> release) {

    /**
     * A task that has no answer.
     *
     * @param object the library's object
     * @param task the same as {@code struct doca_task}
     * @param releaseFunction the name of the function that releases it
     * @param release that function, which is given {@code object}
     */
    public NativeTask(MemorySegment object, MemorySegment task, String releaseFunction,
            ToIntFunction<MemorySegment> release) {
        this(object, task, MemorySegment.NULL, releaseFunction, release);
    }
}
