// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.IdleStrategy;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.WorkerPlan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A host that uses the facade. It acts as a member of its domain, if any, and then uses its workers sequentially. */
final class FacadeHost {

    private static final int MAX_ATTEMPTS = 3;
    private static final int SPINNING_EVERY = 5; // one host in five

    private final HostPlan plan;
    private final Optional<SharedDomain> domain;
    private final ResultRecorder results;

    /** A submitted command and its future answer. */
    private record Submitted(Payload payload, CompletableFuture<Payload.Answer> answer) {}

    /**
     * Creates a host.
     *
     * @param domain the domain of the plan, if any
     */
    FacadeHost(HostPlan plan, Optional<SharedDomain> domain, ResultRecorder results) {
        this.plan = plan;
        this.domain = domain;
        this.results = results;
    }

    /** Executes the plan and records failures. */
    void run() throws InterruptedException {
        try (var urom = Urom.open(UromConfiguration.builder()
                .callTimeout(plan.timeout())
                .idleStrategy(idleStrategy())
                .build())) {
            if (domain.isPresent()) {
                new DomainMember(plan, domain.get(), results).run(urom);
            }
            for (var index = 0; index < plan.workers().size() && !leavesNow(); index++) {
                new Work(urom, index).run();
            }
            if (leavesNow()) {
                results.abrupt();
            } else if (plan.writesToMemory() && !results.isLate()) {
                new RdmoWrites(plan, results).run(urom);
            }
        } catch (DocaException | IllegalStateException e) {
            results.error(0, "service", e);
        }
    }

    /**
     * Returns the blocking strategy for most hosts, since the number of cores limits the number of concurrent runs.
     */
    private IdleStrategy idleStrategy() {
        return Math.floorMod(plan.seed(), SPINNING_EVERY) == 0 ? IdleStrategy.SPIN_THEN_WAIT : IdleStrategy.WAIT;
    }

    private boolean leavesNow() {
        return plan.ending() == Ending.ABRUPT && results.answers() >= plan.commands() / 2;
    }

    /** The commands of one worker. */
    private final class Work {

        private final Urom urom;
        private final int index;
        private final WorkerPlan worker;
        private final Deque<Submitted> inFlight = new ArrayDeque<>();
        private int count;

        Work(Urom urom, int index) {
            this.urom = urom;
            this.index = index;
            worker = plan.workers().get(index);
        }

        /** Executes the commands. If the worker is lost, starts another one for the remaining commands. */
        void run() throws InterruptedException {
            for (var i = 0; i < MAX_ATTEMPTS && count < worker.commands() && !leavesNow() && !results.isLate(); i++) {
                try {
                    runOnce();
                } catch (TimeoutException e) {
                    results.late(worker.id());
                } catch (ExecutionException e) {
                    results.error(worker.id(), "start", e);
                } catch (DocaException | IllegalStateException e) {
                    results.error(worker.id(), "worker", e);
                }
            }
        }

        private void runOnce() throws InterruptedException, ExecutionException, TimeoutException {
            try (var started = start()) {
                try {
                    submitCommands(started);
                } finally {
                    awaitAnswers(started);
                }
            }
        }

        private Worker start() throws InterruptedException, ExecutionException, TimeoutException {
            var starting = urom.startWorkerAsync(WorkerConfiguration.builder(worker.plugin())
                    .id(worker.id())
                    .tasks(worker.depth())
                    .submitTimeout(plan.timeout())
                    .build());
            try {
                return starting.get(plan.timeout().toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                starting.cancel(false);
                throw e;
            }
        }

        private void submitCommands(Worker started) throws InterruptedException {
            while (count < worker.commands()
                    && started.isRunning()
                    && !leavesNow()
                    && !results.isLate()) { // if a slot is lost, each submission would time out
                var payload = Payload.of(plan.seed(), index, count++, worker.bytes());
                inFlight.add(new Submitted(payload, started.submit(Payload.echo(worker), payload)));
                results.submitted();
                if (inFlight.size() >= worker.depth()) {
                    awaitAnswer();
                }
            }
        }

        /** Waits for all answers, after closing the worker if the host leaves early. */
        private void awaitAnswers(Worker started) throws InterruptedException {
            if (leavesNow()) {
                started.close();
            }
            while (!inFlight.isEmpty()) {
                awaitAnswer();
            }
        }

        private void awaitAnswer() throws InterruptedException {
            var submitted = inFlight.remove();
            try {
                var answer = submitted.answer.get(2 * plan.timeout().toMillis(), TimeUnit.MILLISECONDS);
                results.answered(worker.id(), submitted.payload.isAnsweredBy(answer));
            } catch (TimeoutException e) {
                results.late(worker.id());
            } catch (ExecutionException e) {
                if (leavesNow()) { // closing the worker has completed its commands
                    results.closed();
                    return;
                }
                if (ResultRecorder.name(e).equals("TIME_OUT")) {
                    results.late(worker.id());
                }
                results.failed(worker.id(), "task", e);
            }
        }
    }
}
