// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import dev.jurom.Worker;
import dev.jurom.plugin.Offload;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Times the commands of one type: the timer {@code jurom.command} with the tags {@code plugin}, {@code command} and
 * {@code outcome} ({@code success} or {@code error}). A duration includes the wait for a slot of the worker. The registry
 * references no Urom or worker. This class is thread-safe.
 *
 * {@snippet :
 * var loopback = new CommandTimer<>(GraphPlugin.LOOPBACK, "loopback", registry);
 * loopback.call(worker, 42L);
 * }
 *
 * @param <C> the type of commands
 * @param <R> the type of responses
 */
public final class CommandTimer<C, R> {

    private final Offload<C, R> offload;
    private final Timer succeeded;
    private final Timer failed;
    private final MeterRegistry registry;

    /**
     * Registers the timers.
     *
     * @param offload the commands
     * @param command the value of the tag {@code command}
     * @param registry the registry of the timers
     */
    public CommandTimer(Offload<C, R> offload, String command, MeterRegistry registry) {
        this.offload = Objects.requireNonNull(offload);
        this.registry = Objects.requireNonNull(registry);
        var tags = Tags.of("plugin", offload.plugin(), "command", command);
        succeeded = timer(tags.and("outcome", "success"));
        failed = timer(tags.and("outcome", "error"));
    }

    private Timer timer(Tags tags) {
        return Timer.builder("jurom.command")
                .description("From the call to the response, with the wait for a slot")
                .tags(tags)
                .register(registry);
    }

    /**
     * Sends a command and waits for its response, as {@link Worker#call(Offload, Object)} does, with the same exceptions.
     *
     * @param worker the worker
     * @param command the command
     * @return the response
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public R call(Worker worker, C command) throws InterruptedException {
        var start = Timer.start(registry);
        var outcome = failed;
        try {
            var response = worker.call(offload, command);
            outcome = succeeded;
            return response;
        } finally {
            start.stop(outcome);
        }
    }

    /**
     * Sends a command, as {@link Worker#submit(Offload, Object)} does, with the same exceptions. A cancelled future counts
     * as an error.
     *
     * @param worker the worker
     * @param command the command
     * @return the future response
     */
    public CompletableFuture<R> submit(Worker worker, C command) {
        var start = Timer.start(registry);
        var future = worker.submit(offload, command);
        future.whenComplete((response, failure) -> start.stop(failure == null ? succeeded : failed));
        return future;
    }
}
