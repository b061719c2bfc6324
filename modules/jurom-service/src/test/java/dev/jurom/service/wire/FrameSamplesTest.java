// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.fixture.Command;
import dev.jurom.urom.CpuSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the codec with the frames of {@code frames.txt}, which the tests of the codec in C use too. */
class FrameSamplesTest {

    private static final List<String> OF_HOSTS_AND_WORKERS = List.of(
            "ATTACH",
            "ATTACHED",
            "COMMAND",
            "NOTIFICATION",
            "DETACH",
            "DETACHED",
            "DOMAIN",
            "DOMAIN_READY",
            "COMMAND_UNTIL",
            "CANCEL");

    /** A line of the file. */
    record Sample(String type, byte[] bytes) {

        static Sample parse(String line) {
            var words = line.split(" ", 2);
            return new Sample(words[0], HexFormat.of().parseHex(words[1].replace(" ", "")));
        }

        boolean isOfService() {
            return !OF_HOSTS_AND_WORKERS.contains(type);
        }

        @Override
        public String toString() {
            return type + " of " + bytes.length + " bytes";
        }
    }

    static List<Sample> samples() {
        try (var lines = Files.lines(Command.ROOT.resolve("src/test/resources/frames.txt"))) {
            return lines.filter(line -> !line.startsWith("#"))
                    .map(Sample::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Sample> samplesOfService() {
        return samples().stream().filter(Sample::isOfService);
    }

    static Stream<Sample> otherSamples() {
        return samples().stream().filter(sample -> !sample.isOfService());
    }

    @Test
    void there_is_a_sample_of_each_type() {
        var found = EnumSet.noneOf(FrameType.class);
        samplesOfService().map(sample -> FrameType.valueOf(sample.type)).forEach(found::add);

        assertEquals(EnumSet.allOf(FrameType.class), found);
    }

    @ParameterizedTest
    @MethodSource("samplesOfService")
    void a_sample_is_decoded_and_encoded_to_the_same_bytes(Sample sample) throws FrameException {
        assertEquals(FrameType.valueOf(sample.type).code(), sample.bytes[3]);
        assertArrayEquals(sample.bytes, PeerFrames.encode(PeerFrames.decode(sample.bytes)));
    }

    @ParameterizedTest
    @MethodSource("otherSamples")
    void frames_between_hosts_and_workers_are_unknown(Sample sample) {
        var thrown = assertThrows(FrameException.class, () -> FrameDecoder.decode(sample.bytes));
        assertEquals("the frame has the unknown type " + sample.bytes[3], thrown.getMessage());
    }

    @Test
    void the_first_samples_have_the_fields_that_the_tests_in_c_expect() throws FrameException {
        var environment = List.of("A=1", "LONG_NAME=with = inside", "EMPTY=");
        var ticket = new Ticket(
                Bytes.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII)),
                Bytes.of("0123456789ABCDEF0123456789abcde\0".getBytes(StandardCharsets.US_ASCII)));

        assertEquals(
                Frame.Spawn.of(3, -1, 3)
                        .withGroup(OptionalInt.of(5))
                        .withCpuSet(Optional.of(CpuSet.of(0, 1, 1023)))
                        .withEnvironment(environment),
                first("SPAWN"));
        assertEquals(
                Frame.Launch.of(4, -1)
                        .withUser(Optional.of(new Frame.User(1000, 100)))
                        .withLimits(List.of(1L, 0x80L << 56))
                        .withSocketPath(Optional.of("/run/w\u00f6rker.7"))
                        .withCgroup(Optional.of("/sys/fs/cgroup/a"))
                        .withEnvironment(environment),
                first("LAUNCH"));
        assertEquals(
                new Frame.Admit(5, ticket, -1, 20_000, Optional.of(new Binding("2001:db8::1", 1024, 65_535, false))),
                first("TICKET"));
        assertEquals(
                new Frame.Spawned(0, 7, 4711, true, OptionalInt.of(5), false, ticket, "unix:/run/w\u00f6rker.7"),
                first("SPAWNED"));
    }

    private static Frame first(String type) throws FrameException {
        var sample = samples().stream().filter(each -> each.type.equals(type)).findFirst();
        return PeerFrames.decode(sample.orElseThrow().bytes);
    }
}
