// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.bench.measurement.WaitOffload.Wait;
import dev.jurom.bench.measurement.WaitPlugin.Action;
import java.io.IOException;

/** A host that submits a command to an existing worker and waits until it is killed. */
public final class WaitingHost {

    /** The duration of its command. */
    public static final long WORK_MILLIS = 1000;

    private WaitingHost() {}

    /**
     * Prints a line when it is connected, submits the command after a byte of input, and prints another line.
     *
     * @param arguments the name of the plugin, the id of the worker, and the action of the command
     */
    public static void main(String[] arguments) throws IOException {
        var configuration = WorkerConfiguration.builder(arguments[0])
                .id(Long.parseUnsignedLong(arguments[1]))
                .build();
        try (var urom = Urom.open();
                var worker = urom.startWorkerAsync(configuration).join()) {
            System.out.println("connected");
            System.in.read();
            var answer =
                    worker.submit(WaitOffload.of(arguments[0]), new Wait(Action.valueOf(arguments[2]), WORK_MILLIS));
            System.out.println("submitted");
            answer.join();
        }
    }
}
