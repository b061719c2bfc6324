// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.internal.Deadline;
import dev.jurom.internal.Engine;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Equal receives get the messages in their order, whenever some of them are cancelled. */
class ReceiveOrderTest {

    private static final Receive COMMAND = new Receive(0, 0, 8, 1, -1, 0);
    private static final int SLOTS = 8;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration STRESS = Duration.ofSeconds(2);

    private final Deque<Runnable> completions = new ArrayDeque<>(); // not run by the executor
    private Executor executor = completions::add;
    private Engine engine;

    @BeforeProperty
    void start() {
        DocaRuntime.current();
        engine = Engine.await(
                Engine.begin(0, Optional.empty(), Optional.of(completion -> executor.execute(completion))));
    }

    @AfterProperty
    void stop() {
        engine.stop(Deadline.in(LONG));
    }

    private PendingReceives receives(Queue<CompletableFuture<Received>> submitted) {
        return new PendingReceives(engine, "worker 7", SLOTS, command -> {
            var answer = new CompletableFuture<Received>();
            submitted.add(answer);
            return answer;
        });
    }

    private static Received message(int number) {
        return new Received(0, number, COMMAND.tag(), 0, MemorySegment.NULL);
    }

    /** Returns the numbers of the messages that the callers have received, in the order of their receives. */
    private static List<Long> received(List<CompletableFuture<Received>> callers) {
        return callers.stream()
                .filter(caller -> caller.state() == CompletableFuture.State.SUCCESS)
                .map(caller -> caller.resultNow().count())
                .toList();
    }

    /** A step receives, cancels a receive, answers a command of the worker, or runs a completion. */
    @Property(tries = 2000)
    void messages_are_received_in_order(@ForAll @Size(max = 60) List<@IntRange(min = 0, max = 1000) Integer> steps) {
        var submitted = new ArrayList<CompletableFuture<Received>>();
        var order = new ConcurrentLinkedQueue<CompletableFuture<Received>>();
        var receives = receives(order);
        var callers = new ArrayList<CompletableFuture<Received>>();

        for (var step : steps) {
            var number = step / 4;
            switch (step % 4) {
                case 0 -> callers.add(receives.receive(COMMAND, LONG));
                case 1 -> {
                    if (!callers.isEmpty()) {
                        callers.get(number % callers.size()).cancel(false);
                    }
                }
                case 2 -> {
                    submitted.addAll(order);
                    order.clear();
                    if (!submitted.isEmpty()) {
                        var index = number % submitted.size();
                        submitted.get(index).complete(message(index));
                    }
                }
                default -> {
                    for (var others = completions.isEmpty() ? 0 : number % completions.size(); others > 0; others--) {
                        completions.add(completions.remove());
                    }
                    Optional.ofNullable(completions.poll()).ifPresent(Runnable::run);
                }
            }
        }
        do {
            submitted.addAll(order);
            order.clear();
            IntStream.range(0, submitted.size())
                    .forEach(index -> submitted.get(index).complete(message(index)));
            runCompletions();
        } while (!order.isEmpty());
        for (var last = receives.receive(COMMAND, LONG); order.isEmpty(); last = receives.receive(COMMAND, LONG)) {
            callers.add(last); // receives a message that was kept
            runCompletions();
        }
        assertEquals(LongStream.range(0, submitted.size()).boxed().toList(), received(callers));
    }

    private void runCompletions() {
        while (!completions.isEmpty()) {
            completions.remove().run();
        }
    }

    @Example
    void messages_that_arrive_during_cancellations_are_received_in_order() throws Exception {
        var submitted = new LinkedBlockingQueue<Integer>();
        var answers = new ConcurrentHashMap<Integer, CompletableFuture<Received>>();
        var receives = new PendingReceives(engine, "worker 7", SLOTS, command -> {
            var number = answers.size();
            var answer = new CompletableFuture<Received>();
            answers.put(number, answer);
            submitted.add(number);
            return answer;
        });
        var callers = new ArrayList<CompletableFuture<Received>>();
        try (var threads = Executors.newFixedThreadPool(2);
                var workers = Executors.newFixedThreadPool(2)) {
            executor = threads;
            for (var i = 0; i < 2; i++) {
                workers.submit(() -> {
                    for (var number = submitted.take(); number >= 0; number = submitted.take()) {
                        answers.get(number).complete(message(number));
                    }
                    return null;
                });
            }
            var random = new SplittableRandom(1);
            var end = System.nanoTime() + STRESS.toNanos();
            while (System.nanoTime() - end < 0) {
                callers.add(receives.receive(COMMAND, LONG));
                if (random.nextBoolean()) {
                    var last = callers.getLast();
                    for (var turns = random.nextInt(200); turns > 0 && !last.isDone(); turns--) {
                        Thread.onSpinWait();
                    }
                    last.cancel(false);
                } else if (random.nextInt(4) == 0) {
                    callers.getLast().get(LONG.toSeconds(), TimeUnit.SECONDS);
                }
            }
            callers.add(receives.receive(COMMAND, LONG));
            callers.getLast().get(LONG.toSeconds(), TimeUnit.SECONDS);
            submitted.add(-1);
            submitted.add(-1);
        }
        var received = received(callers);
        assertEquals(
                List.of(),
                IntStream.range(0, received.size())
                        .filter(index -> received.get(index) != index)
                        .boxed()
                        .toList());
    }
}
