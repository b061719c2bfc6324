// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.IOException;
import java.time.Duration;

/** Kills the workers, and then the service, each time while workers compress. */
final class Killer implements Runnable {

    private static final Duration BUSY = Duration.ofMillis(100); // CPU time of workers
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Service service;
    private volatile Throwable failure;
    private volatile boolean done;

    Killer(Service service) {
        this.service = service;
    }

    @Override
    public void run() {
        try {
            awaitBusyWorkers();
            service.killWorkers();
            awaitBusyWorkers();
            service.killAndRestart();
            done = true;
        } catch (IOException | InterruptedException | RuntimeException e) {
            failure = e;
        }
    }

    /** Waits until workers have used CPU time, of which little is needed without commands. */
    private void awaitBusyWorkers() throws InterruptedException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        var before = service.cpuOfWorkers();
        while (service.cpuOfWorkers().minus(before).compareTo(BUSY) < 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("no worker compresses");
            }
            Thread.sleep(5);
        }
    }

    /** Throws if not everything was killed. */
    void requireDone() {
        if (!done) {
            throw new IllegalStateException("the job ended before workers and service were killed", failure);
        }
    }
}
