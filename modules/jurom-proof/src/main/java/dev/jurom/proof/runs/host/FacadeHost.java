// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.IdleStrategy;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.WorkerPlan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A host that uses workers through the facade, one after the other, then perhaps with a crowd. */
final class FacadeHost {

    private static final int MAX_ATTEMPTS = 3;
    private static final int SPINNING_EVERY = 5; // one facade host in so many

    private final HostPlan plan;
    private final Notes notes;

    /** A command and what will come of it. */
    private record Asked(Payload payload, CompletableFuture<Payload.Answer> answer) {}

    FacadeHost(HostPlan plan, Notes notes) {
        this.plan = plan;
        this.notes = notes;
    }

    /** Does all that the plan says; what fails is noted. */
    void run() throws InterruptedException {
        try (var urom = Urom.open(UromConfiguration.builder()
                .callTimeout(plan.patience())
                .idleStrategy(idleStrategy())
                .build())) {
            for (var index = 0; index < plan.workers().size() && !isToLeave(); index++) {
                new Work(urom, index).run();
            }
            if (isToLeave()) {
                notes.abrupt();
            } else if (!notes.isLate()) {
                new FacadeCrowd(plan, urom, notes).run();
            }
        } catch (DocaException | IllegalStateException e) {
            notes.refused("service", e);
        }
    }

    /** Mostly the one that leaves the processor to others: it is what limits how many runs go on. */
    private IdleStrategy idleStrategy() {
        return Math.floorMod(plan.seed(), SPINNING_EVERY) == 0 ? IdleStrategy.SPIN_THEN_WAIT : IdleStrategy.WAIT;
    }

    private boolean isToLeave() {
        return plan.ending() == Ending.ABRUPT && notes.answers() >= plan.commands() / 2;
    }

    /** What is done with one worker. */
    private final class Work {

        private final Urom urom;
        private final int index;
        private final WorkerPlan worker;
        private final Deque<Asked> inFlight = new ArrayDeque<>();
        private int given;

        Work(Urom urom, int index) {
            this.urom = urom;
            this.index = index;
            worker = plan.workers().get(index);
        }

        /** When the worker is lost on the way, another is started for what is left. */
        void run() throws InterruptedException {
            for (var i = 0; i < MAX_ATTEMPTS && given < worker.commands() && !isToLeave() && !notes.isLate(); i++) {
                try {
                    runOnce();
                } catch (TimeoutException e) {
                    notes.late();
                } catch (ExecutionException e) {
                    notes.refused("start", e);
                } catch (DocaException | IllegalStateException e) {
                    notes.refused("worker", e);
                }
            }
        }

        private void runOnce() throws InterruptedException, ExecutionException, TimeoutException {
            try (var started = start()) {
                try {
                    give(started);
                } finally {
                    leave(started);
                }
            }
        }

        private Worker start() throws InterruptedException, ExecutionException, TimeoutException {
            var starting = urom.startWorkerAsync(WorkerConfiguration.builder(GraphPlugin.NAME)
                    .id(worker.id())
                    .tasks(worker.depth())
                    .submitTimeout(plan.patience())
                    .build());
            try {
                return starting.get(plan.patience().toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                starting.cancel(false);
                throw e;
            }
        }

        private void give(Worker started) throws InterruptedException {
            while (given < worker.commands()
                    && started.isRunning()
                    && !isToLeave()
                    && !notes.isLate()) { // a slot that is never free would make each one wait
                var payload = Payload.of(plan.seed(), index, given++, worker.bytes());
                inFlight.add(new Asked(payload, started.submit(Payload.ECHO, payload)));
                notes.submitted();
                if (inFlight.size() >= worker.depth()) {
                    take();
                }
            }
        }

        /** Waits for the answers that are due; one that leaves early does not. */
        private void leave(Worker started) throws InterruptedException {
            if (isToLeave()) {
                started.close();
            }
            while (!inFlight.isEmpty()) {
                take();
            }
        }

        private void take() throws InterruptedException {
            var asked = inFlight.remove();
            try {
                var answer = asked.answer.get(2 * plan.patience().toMillis(), TimeUnit.MILLISECONDS);
                notes.answered(asked.payload.isAnsweredBy(answer));
            } catch (TimeoutException e) {
                notes.late();
            } catch (ExecutionException e) {
                if (Notes.name(e).equals("TIME_OUT")) {
                    notes.late();
                }
                notes.failed(Notes.name(e));
            }
        }
    }
}
