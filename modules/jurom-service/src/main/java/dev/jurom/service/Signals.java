// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Handles signals that do not end the program. Uses the JDK's class for signals by reflection, because each
 * reference at compile time causes a warning.
 */
final class Signals {

    private Signals() {}

    /**
     * Runs an action on a separate thread on each SIGHUP, which then no longer ends this process.
     *
     * @throws ReflectiveOperationException if this JDK has no such class
     */
    static void onHangUp(Runnable action) throws ReflectiveOperationException {
        var signal = Class.forName("sun.misc.Signal");
        var handler = Class.forName("sun.misc.SignalHandler");
        InvocationHandler calling = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "handler of SIGHUP";
        };
        signal.getMethod("handle", signal, handler)
                .invoke(
                        null,
                        signal.getConstructor(String.class).newInstance("HUP"),
                        Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, calling));
    }
}
