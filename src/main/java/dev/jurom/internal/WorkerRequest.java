// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is asked for when a worker is to start.
 *
 * @param plugins the names of the plugins that it loads: at least one
 * @param tasks how many commands can be in flight: a power of two
 * @param submitTimeout how long a submit waits for one of them to become free
 * @param settings sets all else at an idle context, in the thread that drives the engine
 */
public record WorkerRequest(List<String> plugins, int tasks, Duration submitTimeout,
        Consumer<UromWorker> settings) {
}
