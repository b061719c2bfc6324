// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.core.DocaException;
import dev.jurom.plugin.CodecException;
import dev.jurom.worker.WorkerPlugin;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs exceptions of plugins to standard error, which is the worker's log. Thread-safe. */
final class Failures {

    private static final Set<Class<?>> LOGGED = ConcurrentHashMap.newKeySet();

    private Failures() {}

    /** Logs the first exception of each class, so that no host can fill the log. */
    static void log(WorkerPlugin plugin, Throwable cause) {
        if (cause instanceof CodecException || cause instanceof DocaException || !LOGGED.add(cause.getClass())) {
            return;
        }
        System.err.println("The plugin " + plugin.getClass().getName() + " failed, as logged once for "
                + cause.getClass().getName());
        cause.printStackTrace();
    }
}
