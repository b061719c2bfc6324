// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.RdmoTarget;
import dev.jurom.RdmoWriter;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.Planner;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.CompletionException;

/** Writes to the memory of the host itself through {@code worker_rdmo}, in addition to the commands of its plan. */
final class RdmoWrites {

    private static final int SLOT = 512; // bytes for each payload; the appended payload follows
    private static final int MAX_BYTES = 400;
    private static final int PAYLOADS = 20;
    private static final int POINTER = PAYLOADS * SLOT;
    private static final int INDEX = 140; // index of these payloads among those of the host

    private final HostPlan plan;
    private final ResultRecorder results;

    RdmoWrites(HostPlan plan, ResultRecorder results) {
        this.plan = plan;
        this.results = results;
    }

    /** Writes payloads and checks that the memory contains them. */
    void run(Urom urom) throws InterruptedException {
        var id = Planner.rdmoWorker(plan.run());
        var started = results.start(
                urom,
                WorkerConfiguration.builder(RdmoPlugin.NAME)
                        .id(id)
                        .submitTimeout(plan.timeout())
                        .build(),
                "start");
        if (started.isEmpty()) {
            return;
        }
        try (var worker = started.get();
                var target = RdmoTarget.open(worker, POINTER + SLOT);
                var writer = RdmoWriter.open()) {
            writer.connect(target.invite(writer.introduction()));
            target.setPointer(POINTER, POINTER + Long.BYTES);
            for (var i = 0; i < PAYLOADS; i++) {
                writer.write((long) i * SLOT, payload(i).data());
            }
            writer.append(POINTER, payload(PAYLOADS).data());
            writer.flush(plan.timeout()).join();
            for (var i = 0; i <= PAYLOADS; i++) {
                requireWritten(
                        id,
                        target,
                        i == PAYLOADS ? POINTER + Long.BYTES : i * SLOT,
                        payload(i).data());
            }
        } catch (CompletionException e) {
            results.error(id, "rdmo", e.getCause());
        } catch (RuntimeException e) { // including errors of UCX
            results.error(id, "rdmo", e);
        }
    }

    private Payload payload(int number) {
        return Payload.of(plan.seed(), INDEX, number, MAX_BYTES);
    }

    private void requireWritten(long worker, RdmoTarget target, long at, byte[] data) {
        if (!Arrays.equals(data, target.memory().asSlice(at, data.length).toArray(ValueLayout.JAVA_BYTE))) {
            results.answered(worker, false);
            results.submitted();
        }
    }
}
