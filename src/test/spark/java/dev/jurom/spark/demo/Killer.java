// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.IOException;
import java.time.Duration;

/**
 * Kills the workers, and then the service, each time with blocks in flight: the workers are stopped before until
 * the executors wait for them.
 */
final class Killer {

    private static final int FIRST = 1; // finished map tasks
    private static final int SECOND = 4;
    private static final Duration IDLE = Duration.ofMillis(50); // CPU time of executors in a period
    private static final long PERIOD_MILLIS = 2000;
    private static final int LAST_PERIOD = 8; // before blocks time out

    private final Cluster cluster;
    private final Service service;
    private volatile Throwable failure;
    private volatile boolean done;

    Killer(Cluster cluster, Service service) {
        this.cluster = cluster;
        this.service = service;
    }

    /** Starts a thread that kills during the job with these tasks. */
    void start(TaskLog tasks) {
        Thread.ofPlatform().daemon().start(() -> run(tasks));
    }

    private void run(TaskLog tasks) {
        try {
            awaitMapTasks(tasks, FIRST);
            stopWorkersUntilExecutorsWait();
            service.killWorkers();
            awaitMapTasks(tasks, SECOND);
            stopWorkersUntilExecutorsWait();
            service.killAndRestart();
            done = true;
        } catch (IOException | InterruptedException | RuntimeException e) {
            failure = e;
        }
    }

    private static void awaitMapTasks(TaskLog tasks, int count) throws InterruptedException {
        while (tasks.mapTasks() < count) {
            Thread.sleep(10);
        }
    }

    private void stopWorkersUntilExecutorsWait() throws IOException, InterruptedException {
        service.stopWorkers();
        for (var period = 1; period <= LAST_PERIOD; period++) {
            var before = cluster.cpuOfExecutors();
            Thread.sleep(PERIOD_MILLIS);
            if (cluster.cpuOfExecutors().minus(before).compareTo(IDLE) < 0) {
                return;
            }
        }
    }

    /** Throws if not everything was killed when the job has ended. */
    void requireDone() {
        if (!done) {
            throw new IllegalStateException("the job ended before workers and service were killed", failure);
        }
    }
}
