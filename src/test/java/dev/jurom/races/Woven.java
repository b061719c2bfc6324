// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.IdentityHashMap;
import java.util.Map;

/** What is woven into code that is explored, for its volatile fields and monitors. */
public final class Woven {

    private final Map<Object, Shared> objects = new IdentityHashMap<>();
    private final Map<Object, Stepped.Lock> monitors = new IdentityHashMap<>();

    /** What several actors see of an object; the name of a class stands for what is static. */
    private static Shared of(Object object) {
        return object instanceof Shared shared ? shared
                : Orders.woven().objects.computeIfAbsent(object, made ->
                        object instanceof String name ? new Shared(name.hashCode()) : new Shared());
    }

    /** An object that has volatile fields is made. */
    public static void made(Object object) {
        of(object);
    }

    /** Before a volatile field is read. */
    public static void read(Object object) {
        Orders.step(of(object), false);
    }

    /** Before a volatile field is written. */
    public static void write(Object object) {
        Orders.step(of(object), true);
    }

    /** In place of entering a monitor. */
    public static void enter(Object object) {
        Orders.woven().monitors.computeIfAbsent(object,
                entered -> new Stepped.Lock(~of(object).id())).lock();
    }

    /** In place of leaving a monitor. */
    public static void leave(Object object) {
        Orders.woven().monitors.get(object).unlock();
    }
}
