// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assigns numbers to objects, for native code: a number is passed to UCX and returned in a
 * callback. Released numbers are reused. Not thread-safe.
 */
final class CallbackTable<T> {

    private Object[] objects = new Object[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    /** Assigns a number to an object, or to null if the object is set later. */
    int add(@Nullable T object) {
        var number = freeCount > 0 ? free[--freeCount] : used++;
        if (number == objects.length) {
            objects = Arrays.copyOf(objects, 2 * number);
        }
        objects[number] = object;
        return number;
    }

    /** Returns the object of a number that is in use. */
    @SuppressWarnings("unchecked") // add and set store only objects of this type
    T get(int number) {
        var object = number >= 0 && number < used ? (T) objects[number] : null;
        if (object == null) {
            throw new IllegalStateException(
                    "UCX passed the number " + number + " to a callback, which belongs to no pending operation");
        }
        return object;
    }

    /** Replaces the object of a number that is in use. */
    void set(int number, T object) {
        objects[number] = object;
    }

    /** Releases a number. */
    void remove(int number) {
        objects[number] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = number;
    }
}
