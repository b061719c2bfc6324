// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for objects that native code knows: a number goes out with a callback and comes back.
 * Numbers are used again once they are free. For one thread at a time.
 */
final class CallbackNumbers<T> {

    private Object[] objects = new Object[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    /** Gives an object a number; null: the object is set later. */
    int add(@Nullable T object) {
        var number = freeCount > 0 ? free[--freeCount] : used++;
        if (number == objects.length) {
            objects = Arrays.copyOf(objects, 2 * number);
        }
        objects[number] = object;
        return number;
    }

    /** The object of a number that is in use. */
    @SuppressWarnings("unchecked") // add and set put nothing else there
    T get(int number) {
        var object = number >= 0 && number < used ? (T) objects[number] : null;
        if (object == null) {
            throw new IllegalStateException(
                    "UCX calls back with the number " + number + ", which belongs to nothing that is under way");
        }
        return object;
    }

    /** Puts another object in the place of a number that is in use. */
    void set(int number, T object) {
        objects[number] = object;
    }

    /** Frees a number. */
    void remove(int number) {
        objects[number] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = number;
    }
}
