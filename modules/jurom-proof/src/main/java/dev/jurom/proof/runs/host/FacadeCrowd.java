// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.ArrayList;
import java.util.SplittableRandom;

/**
 * Several threads, platform and virtual, that give commands to one worker of one {@code Urom} at
 * once, in every way there is, on fewer slots than there are threads. Their commands are beyond
 * those of the plan; what must hold whatever fails is noted as broken where it does not.
 */
final class FacadeCrowd {

    private static final int SLOTS = 4;
    private static final int THREADS = 5;
    private static final int VIRTUAL_EVERY = 3;
    private static final int KILLED_EVERY = 2; // crowd in so many
    private static final long OF_CROWDS = 0x63726F7764L; // what is drawn here is not the plan's

    private final HostPlan plan;
    private final Urom urom;
    private final Notes notes;
    private final SplittableRandom random;

    FacadeCrowd(HostPlan plan, Urom urom, Notes notes) {
        this.plan = plan;
        this.urom = urom;
        this.notes = notes;
        random = new SplittableRandom(plan.seed() ^ OF_CROWDS);
    }

    /** Has all threads do what they do, and looks at what they leave; every other host does so. */
    void run() throws InterruptedException {
        if (random.nextBoolean()) {
            return;
        }
        if (random.nextInt(KILLED_EVERY) == 0) {
            startBesideEnd();
        }
        try (var worker = urom.startWorker(configuration())) {
            if (random.nextBoolean()) {
                work(worker);
            } else {
                workBesideAnother(worker);
            }
            if (worker.isRunning() && !notes.isLate()) {
                new SlotsThatAreFree(worker, plan, notes).check(SLOTS);
            }
        } catch (DocaException | IllegalStateException e) {
            notes.refused("crowd", e);
        }
    }

    /** The worker is killed as soon as it runs, and another worker is started in its place. */
    private void startBesideEnd() {
        try (var killed = StagedFault.killOfWorker("worker_attached_sent")) {
            urom.startWorker(configuration()).close();
        } catch (DocaException | IllegalStateException e) {
            notes.refused("start", e);
        }
    }

    private WorkerConfiguration configuration() {
        return WorkerConfiguration.builder(GraphPlugin.NAME)
                .id(plan.workers().getFirst().id())
                .tasks(SLOTS)
                .submitTimeout(plan.patience())
                .build();
    }

    private void workBesideAnother(Worker worker) throws InterruptedException {
        try (var other = Urom.open(
                        UromConfiguration.builder().callTimeout(plan.patience()).build());
                var otherWorker = other.startWorker(configuration())) {
            var starts = new StartsThatWait(urom, configuration(), otherWorker, plan, notes);
            var thread = Thread.ofPlatform().start(starts::run);
            work(worker);
            thread.join();
        }
    }

    private void work(Worker worker) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < THREADS; i++) {
            var member = new CrowdMember(i, plan, worker, random.split(), notes, threads);
            threads.add(
                    i % VIRTUAL_EVERY == 1
                            ? Thread.ofVirtual().unstarted(member::run)
                            : Thread.ofPlatform().unstarted(member::run));
        }
        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }
    }
}
