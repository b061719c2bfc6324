// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import java.util.Arrays;

/**
 * Numbers for objects that native code knows: a number goes out with a callback and comes back.
 * Numbers are used again once they are free. For one thread at a time.
 */
final class CallbackNumbers<T> {

    private Object[] objects = new Object[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    /** Gives {@code object} a number. */
    int add(T object) {
        var number = freeCount > 0 ? free[--freeCount] : used++;
        if (number == objects.length) {
            objects = Arrays.copyOf(objects, 2 * number);
        }
        objects[number] = object;
        return number;
    }

    /** The object of a number, or null if the number is free. */
    @SuppressWarnings("unchecked")
    T get(int number) {
        return number >= 0 && number < used ? (T) objects[number] : null;
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
