// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.MemoryFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that tasks and graphs return the properties that were set. */
class TaskPropertiesTest {

    private static final int LENGTH = 256;

    private MemoryFixture fixture;
    private Buffer source;
    private Buffer destination;

    @BeforeEach
    void open() {
        fixture = new MemoryFixture(2 * LENGTH);
        source = fixture.source(0, LENGTH);
        destination = fixture.destination(LENGTH, LENGTH);
    }

    @AfterEach
    void close() {
        source.close();
        destination.close();
        fixture.close();
    }

    @Test
    void a_copy_task_returns_its_context_and_buffers() {
        try (var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
                var other = fixture.source(0, 1);
                var copy = dma.copyTask(source, destination)) {
            assertSame(dma, copy.context());
            assertSame(source, copy.source());
            assertSame(destination, copy.destination());
            assertSame(other, copy.setSource(other).source());
            assertSame(destination, copy.setDestination(destination).destination());
            assertTrue(dma.maxTasks() >= 1);
        }
    }

    @Test
    void a_hash_task_returns_its_buffers_and_algorithm() {
        try (var sha = fixture.start(
                        ShaContext.create(fixture.engine(), fixture.device()).setHashTasks(1));
                var hash = sha.hashTask(ShaAlgorithm.SHA1, source, destination)) {
            assertSame(source, hash.source());
            assertSame(destination, hash.destination());
            for (var algorithm : ShaAlgorithm.values()) {
                assertEquals(algorithm, hash.setAlgorithm(algorithm).algorithm());
            }
            hash.setSource(source).setDestination(destination);
            fixture.run(hash.setAlgorithm(ShaAlgorithm.SHA256));
            assertEquals(32, destination.dataLength());
            assertTrue(ShaContext.maxListLength(fixture.device()) >= 1);
        }
    }

    @Test
    void a_partial_hash_task_returns_its_part_and_whether_it_is_the_last() {
        try (var sha = fixture.start(
                        ShaContext.create(fixture.engine(), fixture.device()).setPartialHashTasks(1));
                var hash = sha.partialHashTask(ShaAlgorithm.SHA512, source, destination)) {
            assertSame(source, hash.source());
            assertSame(destination, hash.destination());
            assertEquals(ShaAlgorithm.SHA512, hash.algorithm());
            assertEquals(ShaAlgorithm.SHA1, hash.setAlgorithm(ShaAlgorithm.SHA1).algorithm());
            assertFalse(hash.isFinal());
            fixture.run(hash.setSource(source).setDestination(destination));
            assertEquals(
                    DocaError.BAD_STATE,
                    assertThrows(DocaException.class, () -> hash.setAlgorithm(ShaAlgorithm.SHA256))
                            .error());
            assertTrue(hash.setFinal().isFinal());
            fixture.run(hash);
            assertTrue(hash.hasResult());
            assertFalse(hash.reset().isFinal());
        }
    }

    @Test
    void nodes_can_be_added_to_a_stopped_graph() {
        try (var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
                var graph = Graph.create(fixture.engine(), 1)) {
            graph.addTask(dma);
            graph.start();
            assertThrows(DocaException.class, () -> graph.addTask(dma));

            graph.stop();

            graph.addTask(dma);
        }
    }
}
