// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.MemoryFixture;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ForEveryRuntime
class ShaContextTest {

    private static final int LENGTH = 4096;

    @ParameterizedTest
    @EnumSource(ShaAlgorithm.class)
    void a_hash_equals_that_of_the_jdk(ShaAlgorithm algorithm) throws NoSuchAlgorithmException {
        try (var fixture = new MemoryFixture(2 * LENGTH);
                var sha = fixture.start(
                        ShaContext.create(fixture.engine(), fixture.device()).setHashTasks(4));
                var source = fixture.source(0, LENGTH);
                var destination = fixture.destination(LENGTH, 64);
                var task = sha.hashTask(algorithm, source, destination)) {
            assertTrue(ShaContext.isHashSupported(fixture.device(), algorithm));
            assertTrue(ShaContext.maxSourceSize(fixture.device()) >= LENGTH);
            for (var length : new int[] {1, 55, 64, 1000, LENGTH}) {
                var bytes = fill(fixture, length);
                source.setData(0, length);
                destination.setData(0, 0);

                fixture.run(task);
                task.requireSuccess();

                assertArrayEquals(
                        digest(algorithm).digest(bytes), destination.data().toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ShaAlgorithm.class)
    void a_hash_in_parts_equals_that_of_the_whole(ShaAlgorithm algorithm) throws NoSuchAlgorithmException {
        try (var fixture = new MemoryFixture(2 * LENGTH);
                var sha = fixture.start(
                        ShaContext.create(fixture.engine(), fixture.device()).setPartialHashTasks(1));
                var source = fixture.source(0, LENGTH);
                var destination = fixture.destination(LENGTH, 64);
                var task = sha.partialHashTask(algorithm, source, destination)) {
            assertTrue(ShaContext.isPartialHashSupported(fixture.device(), algorithm));
            var bytes = fill(fixture, LENGTH - 5);
            var block = ShaContext.partialBlockSize(fixture.device(), algorithm);
            for (var round = 0; round < 2; round++) {
                destination.setData(0, 0);
                source.setData(0, 2L * block);
                fixture.run(task);
                assertFalse(task.hasResult());
                source.setData(2L * block, LENGTH - 5 - 2L * block);
                fixture.run(task.setFinal());
                assertTrue(task.hasResult());

                assertArrayEquals(
                        digest(algorithm).digest(bytes), destination.data().toArray(ValueLayout.JAVA_BYTE));
                task.reset();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ShaAlgorithm.class)
    void a_destination_without_room_for_the_hash_fails(ShaAlgorithm algorithm) {
        try (var fixture = new MemoryFixture(LENGTH);
                var sha = fixture.start(
                        ShaContext.create(fixture.engine(), fixture.device()).setHashTasks(1));
                var source = fixture.source(0, 64);
                var destination =
                        fixture.destination(64, ShaContext.minDestinationSize(fixture.device(), algorithm) - 1);
                var task = sha.hashTask(algorithm, source, destination)) {
            assertThrows(DocaException.class, () -> {
                task.submit();
                fixture.await(task);
                task.requireSuccess();
            });
            assertEquals(0, destination.dataLength());
        }
    }

    @Test
    void the_configured_number_of_tasks_can_be_open() {
        try (var fixture = new MemoryFixture(LENGTH);
                var sha = fixture.start(ShaContext.create(fixture.engine(), fixture.device())
                        .setHashTasks(256)
                        .setPartialHashTasks(2));
                var source = fixture.source(0, 64);
                var destination = fixture.destination(64, 64)) {
            assertEquals(256, open(() -> sha.hashTask(ShaAlgorithm.SHA1, source, destination)));
            assertEquals(2, open(() -> sha.partialHashTask(ShaAlgorithm.SHA1, source, destination)));
        }
    }

    /** Opens tasks until one is rejected, closes them, and returns their number. */
    private static int open(Supplier<Task> maker) {
        var tasks = new ArrayList<Task>();
        assertEquals(
                DocaError.NO_MEMORY,
                assertThrows(DocaException.class, () -> {
                            while (true) {
                                tasks.add(maker.get());
                            }
                        })
                        .error());
        tasks.forEach(Task::close);
        return tasks.size();
    }

    @Test
    void a_number_of_tasks_that_is_not_a_power_of_two_in_the_range_is_rejected() {
        try (var fixture = new MemoryFixture(LENGTH);
                var sha = ShaContext.create(fixture.engine(), fixture.device())) {
            for (var tasks : new int[] {0, 3, -1, 255, 1 << 17, Integer.MIN_VALUE}) {
                for (IntFunction<ShaContext> setter :
                        List.<IntFunction<ShaContext>>of(sha::setHashTasks, sha::setPartialHashTasks)) {
                    var refusal = assertThrows(IllegalArgumentException.class, () -> setter.apply(tasks));
                    assertTrue(refusal.getMessage().contains("a power of two from 1 to 65536"), refusal.getMessage());
                }
            }
            sha.setHashTasks(sha.maxTasks());
        }
    }

    private static byte[] fill(MemoryFixture fixture, int length) {
        var bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        fixture.memory().asSlice(0, length).copyFrom(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static MessageDigest digest(ShaAlgorithm algorithm) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance(algorithm.name().replace("SHA", "SHA-"));
    }
}
