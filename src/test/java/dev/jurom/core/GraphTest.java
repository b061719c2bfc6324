// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.fixture.MemoryFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.MemoryFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GraphTest {

    private MemoryFixture fixture;
    private DmaContext dma;
    private Buffer a;
    private Buffer b;
    private Buffer c;
    private DmaCopyTask first;
    private DmaCopyTask second;

    @BeforeEach
    void open() {
        fixture = new MemoryFixture(64);
        dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
        a = fixture.source(0, 8);
        b = fixture.destination(8, 8);
        c = fixture.destination(16, 8);
        first = dma.copyTask(a, b);
        second = dma.copyTask(b, c);
        a.data().fill((byte) 9);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        a.close();
        b.close();
        c.close();
        dma.close();
        fixture.close();
    }

    @Test
    void nodes_run_in_the_order_of_their_dependencies() {
        var order = new ArrayList<String>();
        try (var graph = Graph.create(fixture.engine(), 1)) {
            var copy = graph.addTask(dma);
            var copyAgain = graph.addTask(dma);
            var between = graph.addFunction(run -> order.add("b has " + b.dataLength()));
            var last = graph.addFunction(run -> order.add("c has " + c.dataLength()));
            graph.addDependency(copy, between)
                    .addDependency(between, copyAgain)
                    .addDependency(copyAgain, last)
                    .start();
            try (var instance = graph.instance().set(copy, first).set(copyAgain, second)) {
                instance.onCompletion(done -> order.add("done"));
                instance.submit();
                assertTrue(first.isInFlight());
                assertThrows(IllegalStateException.class, second::submit);
                assertThrows(IllegalStateException.class, instance::close);
                assertThrows(IllegalStateException.class, graph::close);
                assertThrows(IllegalStateException.class, instance::submit);

                assertTrue(fixture.engine().progressUntil(instance::isCompleted, DEADLINE));

                assertTrue(instance.isSuccessful());
                assertEquals(List.of("b has 8", "c has 8", "done"), order);
                assertEquals(-1, a.data().mismatch(c.data()));
            }
        }
    }

    @Test
    void an_abandoned_task_of_a_graph_is_freed_when_the_instance_completes() {
        try (var graph = Graph.create(fixture.engine(), 1)) {
            var copy = graph.addTask(dma);
            graph.start();
            try (var instance = graph.instance().set(copy, first)) {
                instance.submit();
                first.close();
                assertFalse(first.isOpen());
                assertThrows(IllegalStateException.class, a::close);

                assertTrue(fixture.engine().progressUntil(instance::isCompleted, DEADLINE));

                assertTrue(instance.isSuccessful());
                a.setData(0, 8);
                assertThrows(IllegalStateException.class, instance::submit);
            }
        }
    }

    @Test
    void an_exception_of_a_function_fails_the_instance_and_is_thrown_by_progress() {
        try (var graph = Graph.create(fixture.engine(), 1)) {
            var fails = graph.addFunction(run -> {
                throw new ArithmeticException("on purpose");
            });
            var copy = graph.addTask(dma);
            graph.addDependency(fails, copy).start();
            try (var instance = graph.instance().set(copy, first)) {
                instance.submit();

                assertThrows(
                        ArithmeticException.class,
                        () -> fixture.engine().progressUntil(instance::isCompleted, DEADLINE));
                assertTrue(fixture.engine().progressUntil(instance::isCompleted, DEADLINE));

                assertFalse(instance.isSuccessful());
                assertEquals(0, b.dataLength());
                assertFalse(first.isInFlight());
            }
        }
    }

    @Test
    void a_graph_runs_inside_another() {
        try (var inner = Graph.create(fixture.engine(), 1);
                var outer = Graph.create(fixture.engine(), 1)) {
            var copy = inner.addTask(dma);
            inner.start();
            var copyAgain = outer.addTask(dma);
            var nested = outer.addGraph(inner);
            outer.addDependency(nested, copyAgain).start();
            try (var innerInstance = inner.instance().set(copy, first);
                    var instance = outer.instance().set(nested, innerInstance).set(copyAgain, second)) {
                instance.submit();
                assertThrows(IllegalStateException.class, innerInstance::close);
                assertTrue(fixture.engine().progressUntil(instance::isCompleted, DEADLINE));
                assertTrue(instance.isSuccessful());
                assertEquals(8, c.dataLength());
                assertThrows(IllegalStateException.class, innerInstance::close);
            }
        }
    }

    @Test
    void an_instance_may_be_submitted_again_from_inside_its_own_listener() {
        var runs = new int[1];
        try (var graph = Graph.create(fixture.engine(), 1)) {
            var copy = graph.addTask(dma);
            graph.start();
            try (var instance = graph.instance().set(copy, first)) {
                instance.onCompletion(done -> {
                    b.reset();
                    if (++runs[0] < 10) {
                        done.submit();
                    }
                });
                instance.submit();
                assertTrue(fixture.engine().progressUntil(() -> runs[0] == 10, DEADLINE));
            }
        }
    }

    @Test
    void cycles_missing_tasks_and_nodes_of_other_graphs_are_rejected() {
        try (var graph = Graph.create(fixture.engine(), 1);
                var other = Graph.create(fixture.engine(), 1)) {
            assertThrows(DocaException.class, graph::start);
            var copy = graph.addTask(dma);
            var function = graph.addFunction(run -> {});
            var foreign = other.addTask(dma);
            assertThrows(IllegalArgumentException.class, () -> graph.addDependency(copy, foreign));
            assertThrows(DocaException.class, () -> graph.addGraph(graph));
            assertThrows(DocaException.class, graph::instance);

            graph.addDependency(copy, function);
            assertEquals(
                    DocaError.NOT_PERMITTED,
                    assertThrows(DocaException.class, () -> graph.addDependency(function, copy))
                            .error());
            assertEquals(
                    DocaError.BAD_STATE,
                    assertThrows(DocaException.class, () -> graph.addGraph(other))
                            .error());
            graph.start();

            other.start();
            try (var instance = other.instance()) {
                assertThrows(DocaException.class, instance::submit);
                assertThrows(IllegalArgumentException.class, () -> instance.set(copy, first));
                assertThrows(DocaException.class, other::instance);
                assertEquals(
                        DocaError.BAD_STATE,
                        assertThrows(DocaException.class, () -> other.addTask(dma))
                                .error());
            }
        }
    }

    @Test
    void a_context_cannot_be_closed_before_a_graph_that_uses_it_as_a_node() {
        try (var graph = Graph.create(fixture.engine(), 1);
                var own = DmaContext.create(fixture.engine(), fixture.device(), 1)) {
            graph.addTask(own);
            assertTrue(assertThrows(IllegalStateException.class, own::close)
                    .getMessage()
                    .contains("graph of 1 nodes"));
            graph.close();
        }
    }
}
