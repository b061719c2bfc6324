// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.ArrayList;
import java.util.SplittableRandom;

/**
 * Several platform and virtual threads that submit commands concurrently to one worker of a {@code Urom} in
 * all ways, with fewer slots than threads. Their commands are in addition to those of the plan. A violated
 * invariant is reported immediately.
 */
final class ConcurrentCallers {

    private static final int SLOTS = 4;
    private static final int THREADS = 5;
    private static final int VIRTUAL_EVERY = 3;
    private static final long SEED_OF_CALLERS = 0x63726F7764L; // independent of the plan's random numbers

    private final HostPlan plan;
    private final Urom urom;
    private final ResultRecorder results;
    private final SplittableRandom random;

    ConcurrentCallers(HostPlan plan, Urom urom, ResultRecorder results) {
        this.plan = plan;
        this.urom = urom;
        this.results = results;
        random = new SplittableRandom(plan.seed() ^ SEED_OF_CALLERS);
    }

    /** Runs all threads and checks the slots afterwards, with a probability of 1/2. */
    void run() throws InterruptedException {
        if (random.nextBoolean()) {
            return;
        }
        try (var worker = urom.startWorker(configuration())) {
            call(worker);
            if (worker.isRunning() && !results.isLate()) {
                new FreeSlotsCheck(worker, plan, results).check(SLOTS);
            }
        } catch (DocaException | IllegalStateException e) {
            results.error(plan.workers().getFirst().id(), "call", e);
        }
    }

    private WorkerConfiguration configuration() {
        var worker = plan.workers().getFirst();
        return WorkerConfiguration.builder(worker.plugin())
                .id(worker.id())
                .tasks(SLOTS)
                .submitTimeout(plan.patience())
                .build();
    }

    private void call(Worker worker) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < THREADS; i++) {
            var caller = new ConcurrentCaller(i, plan, worker, random.split(), results, threads);
            threads.add(
                    i % VIRTUAL_EVERY == 1
                            ? Thread.ofVirtual().unstarted(caller::run)
                            : Thread.ofPlatform().unstarted(caller::run));
        }
        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }
    }
}
