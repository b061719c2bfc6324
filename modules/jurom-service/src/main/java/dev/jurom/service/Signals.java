// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * The signals that the service as a program knows, beside those that end it. The JDK's class for
 * them is not to be named at compile time, where each mention is a warning.
 */
final class Signals {

    private Signals() {}

    /**
     * Has SIGHUP do something, on a thread of its own, instead of ending this process.
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
            default -> "what SIGHUP does";
        };
        signal.getMethod("handle", signal, handler)
                .invoke(
                        null,
                        signal.getConstructor(String.class).newInstance("HUP"),
                        Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, calling));
    }
}
