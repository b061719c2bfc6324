// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Domain;
import dev.jurom.DomainConfiguration;
import dev.jurom.Sandbox;
import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.proof.runs.plan.DomainPlan;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * A member of a domain. It starts a worker and the domain, requests the workers of their group, sends
 * messages to the next member and receives messages from the previous one, and waits until all members have
 * done so. It does not retry.
 */
final class DomainMember {

    private final HostPlan host;
    private final DomainPlan plan;
    private final SharedDomain domain;
    private final OutOfBandExchange exchange;
    private final ResultRecorder results;

    /** A command in flight, with its name in errors and the check of its answer. */
    private record Command<T>(String call, CompletableFuture<T> answer, Predicate<T> isExpected) {}

    DomainMember(HostPlan host, SharedDomain domain, ResultRecorder results) {
        this.host = host;
        this.plan = host.domain().orElseThrow();
        this.domain = domain;
        this.exchange = domain.exchanges().get(plan.index());
        this.results = results;
    }

    /** Executes the plan and records failures. */
    void run(Urom urom) throws InterruptedException {
        var commands = new ArrayList<Command<?>>();
        var started = results.start(urom, configuration(), "domain_worker");
        if (started.isEmpty()) {
            domain.leave(plan.index());
            return;
        }
        try (var worker = started.get();
                var running = startDomain(urom, worker)) {
            submit(urom, worker, commands);
            if (areAnswered(commands)) {
                exchange.allGather(new byte[1], host.timeout()); // no member leaves earlier
            }
        } catch (TimeoutException e) {
            results.late(plan.worker());
        } catch (DocaException | IllegalStateException | ExchangeException e) {
            results.error(plan.worker(), "domain", e);
        } finally {
            domain.leave(plan.index());
            commands.forEach(this::record);
        }
    }

    private WorkerConfiguration configuration() {
        return WorkerConfiguration.builder(SandboxPlugin.NAME)
                .id(plan.worker())
                .group(host.run())
                .submitTimeout(host.timeout())
                .build();
    }

    private Domain startDomain(Urom urom, Worker worker) throws InterruptedException {
        return urom.startDomain(DomainConfiguration.builder(exchange)
                .worker(1 + plan.index(), worker)
                .startTimeout(host.timeout())
                .build());
    }

    private void submit(Urom urom, Worker worker, List<Command<?>> commands) throws InterruptedException {
        var sandbox = Sandbox.of(worker);
        var before = Math.floorMod(plan.index() - 1, plan.members());
        commands.add(new Command<>(
                "group",
                urom.workersByGroupAsync(host.run()).thenApply(this::requireAllMembers),
                workers -> Arrays.stream(workers).allMatch(id -> id - plan.firstWorker() < plan.members())));
        for (var i = 0; i < plan.messages(); i++) {
            var expected = message(before, i);
            var sent = message(plan.index(), i);
            commands.add(new Command<>(
                    "receive",
                    sandbox.receive(expected.key(), Sandbox.WHOLE_TAG, expected.bytes(), host.timeout()),
                    received ->
                            Arrays.equals(expected.data(), received.payload().toArray(ValueLayout.JAVA_BYTE))));
            commands.add(new Command<>(
                    "send",
                    sandbox.send(1 + (plan.index() + 1) % plan.members(), sent.key(), sent.data()),
                    sends -> true));
        }
    }

    private long[] requireAllMembers(long[] workers) {
        if (workers.length < plan.members()) {
            throw new IllegalStateException("the group lacks the worker of a member that has left");
        }
        return workers;
    }

    /** Waits until all commands are answered, or a member has left. */
    private boolean areAnswered(List<Command<?>> commands) throws InterruptedException, TimeoutException {
        commands.forEach(command -> command.answer.exceptionally(failure -> {
            domain.left().complete(null);
            return null;
        }));
        var answers =
                CompletableFuture.allOf(commands.stream().map(Command::answer).toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(answers, domain.left())
                    .get(2 * host.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return false; // run() records the failed command with the others
        }
        return answers.isDone() && !answers.isCompletedExceptionally();
    }

    /** Records the result of a command. The worker has been closed, which completes all commands. */
    private <T> void record(Command<T> command) {
        results.submitted();
        try {
            var answer = command.answer
                    .orTimeout(host.timeout().toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            results.answered(plan.worker(), command.isExpected.test(answer));
        } catch (CompletionException e) {
            results.failed(plan.worker(), command.call, e);
        }
    }

    private Payload message(int sender, int number) {
        return Payload.of(plan.seed(), sender, number, plan.bytes());
    }
}
