// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All drivers of this process. A thread that leads in one of them and is about to wait for another
 * steps down first: what it waits for may depend on the engine that it would keep.
 */
final class OpenDrivers {

    private static volatile EngineDriver[] all = {};

    private OpenDrivers() {
    }

    static synchronized void add(EngineDriver driver) {
        var more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = driver;
        all = more;
    }

    static synchronized void remove(EngineDriver driver) {
        all = List.of(all).stream().filter(other -> other != driver).toArray(EngineDriver[]::new);
    }

    /** Has the calling thread lead in none but one, which may be null. */
    static void stepDownFromAllBut(@Nullable EngineDriver kept) {
        for (var driver : all) {
            if (driver != kept) {
                driver.stepDownAltogether();
            }
        }
    }
}
