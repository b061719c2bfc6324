// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Sums the metrics of finished tasks, and keeps the reasons of failed ones. */
final class TaskLog extends SparkListener {

    private final LongAdder mapTasks = new LongAdder();
    private final LongAdder shuffleBytes = new LongAdder();
    private final LongAdder spilledBytes = new LongAdder();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.reason() instanceof TaskFailedReason reason) {
            failures.add(reason.toErrorString());
        } else if (end.taskMetrics() != null) {
            var written = end.taskMetrics().shuffleWriteMetrics().bytesWritten();
            mapTasks.add(written > 0 ? 1 : 0);
            shuffleBytes.add(written);
            spilledBytes.add(end.taskMetrics().diskBytesSpilled());
        }
    }

    /** Returns the number of finished tasks that wrote shuffle files. */
    long mapTasks() {
        return mapTasks.sum();
    }

    /** Returns the compressed bytes that map tasks wrote. */
    long shuffleBytes() {
        return shuffleBytes.sum();
    }

    /** Returns the compressed bytes that tasks spilled. */
    long spilledBytes() {
        return spilledBytes.sum();
    }

    /** Returns the reasons of failed tasks. */
    List<String> failures() {
        return failures;
    }
}
