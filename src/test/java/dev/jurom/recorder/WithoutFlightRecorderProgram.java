// SPDX-License-Identifier: Apache-2.0
package dev.jurom.recorder;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Calls a worker, waits for its only slot, and prints whether the JVM has JDK Flight Recorder. */
public final class WithoutFlightRecorderProgram {

    private WithoutFlightRecorderProgram() {}

    /** Runs without arguments. */
    public static void main(String[] arguments) throws Exception {
        var one = WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build();
        try (var urom = Urom.open();
                var worker = urom.startWorker(one)) {
            List<Future<Long>> answers = new ArrayList<>();
            for (var i = 0L; i < 100; i++) {
                answers.add(worker.submit(GraphPlugin.LOOPBACK, i));
            }
            var sum = worker.call(GraphPlugin.LOOPBACK, 0L);
            for (var answer : answers) {
                sum += answer.get();
            }
            var recorder = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
            System.out.println("sum " + sum + ", Flight Recorder " + recorder);
        }
    }
}
