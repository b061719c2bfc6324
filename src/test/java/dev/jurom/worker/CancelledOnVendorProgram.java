// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.worker.ProbePlugin.PROBE;

import dev.jurom.CallOptions;
import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Request;
import java.time.Duration;

/** Cancels a deferred command of a worker with one slot, by a library without functions for it. */
final class CancelledOnVendorProgram {

    private CancelledOnVendorProgram() {}

    public static void main(String[] arguments) throws Exception {
        var configuration = WorkerConfiguration.builder(ProbePlugin.NAME).tasks(1);
        try (var urom = Urom.open();
                var worker = urom.startWorker(configuration.build());
                var same = urom.startWorker(configuration.id(worker.id()).build())) {
            worker.call(PROBE, Request.of(Action.ECHO, "")); // the slot is free afterwards
            var held =
                    worker.trySubmit(PROBE, Request.of(Action.HOLD_QUIETLY, "")).orElseThrow();
            held.cancel(false);
            var cancelled = same.call(PROBE, Request.of(Action.CANCELLED, "a number"));
            var left = same.call(
                    PROBE,
                    Request.of(Action.DEADLINE, "a number"),
                    CallOptions.DEFAULT.withTimeout(Duration.ofHours(1)));
            var occupied = worker.trySubmit(PROBE, Request.of(Action.ECHO, "")).isEmpty();

            ServiceFixture.eventually("the plugin has received the command", () -> isReleased(same));
            ServiceFixture.eventually(
                    "the slot of the cancelled command is free",
                    () -> worker.trySubmit(PROBE, Request.of(Action.ECHO, "")).isPresent());
            System.out.printf(
                    "%s: %s cancelled, %s ms left; %s%n",
                    DocaRuntime.current().kind() == RuntimeKind.VENDOR ? "vendor" : "software",
                    cancelled.text().trim(),
                    left.text().trim(),
                    occupied ? "occupied until the answer" : "free");
        }
    }

    private static boolean isReleased(Worker worker) {
        try {
            worker.call(PROBE, Request.of(Action.RELEASE, ""));
            return true;
        } catch (DocaException e) {
            return false; // the plugin has no command to answer yet
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
