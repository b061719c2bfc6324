// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The measured curves. In round trips, one side runs on core 0 and the other on core 1; several hosts are not
 * pinned.
 */
final class Curves {

    private static final int LARGEST = 4 << 20;
    private static final int DEEPEST = 1024;
    private static final int MAX_WORKERS = 256;
    private static final int MAX_HOSTS = 8;
    private static final int LARGEST_BATCH = 32;
    private static final int BATCHES_IN_FLIGHT = 4; // one is filled while another is executed

    /** The maximum depth of a socket, above which both sides wait for buffer space. */
    private static final int DEEPEST_OF_SOCKET = 64;

    private static final Service OF_LARGEST = new Service(Transport.SHARED_MEMORY, LARGEST + (1 << 16));

    private static final Subject UCX_64 = Subjects.ucx("round trip of a message of 64 B over raw UCX", "--size 64");

    private static final Duration ROUND = Duration.ofMillis(10);
    private static final Duration ROUND_OF_MANY = Duration.ofMillis(200);

    private final boolean quick;

    /** Creates the curves; {@code quick} selects few points and short warm-ups. */
    Curves(boolean quick) {
        this.quick = quick;
    }

    List<Curve> all() {
        return List.of(size(), depth(), workers(), hosts());
    }

    private Curve size() {
        var points = quick
                ? List.of(8, 4096, 1 << 18, LARGEST)
                : List.of(8, 64, 512, 4096, 1 << 15, 1 << 18, 1 << 20, LARGEST);
        var options = " --size " + LARGEST;
        var message = " --message-size " + OF_LARGEST.maxMessageSize();
        return new Curve(
                "size",
                "Round trip of a command or message by size",
                "the size",
                true,
                points,
                UCX_64,
                Quantity.TIME,
                List.of(
                        CurveLine.of(
                                "C",
                                size -> inC("C", "urom_loopback --size " + size + message)
                                        .at(OF_LARGEST)),
                        CurveLine.changing(
                                "size",
                                inJava("Java explicit", "loopback" + options + message)
                                        .at(OF_LARGEST)),
                        CurveLine.changing(
                                "size",
                                inJava("Java facade", "facade" + options + message)
                                        .at(OF_LARGEST)),
                        CurveLine.of("raw UCX", size -> ucx(size, 1)),
                        CurveLine.changing("size", inJava("Aeron IPC", "aeron" + options)),
                        CurveLine.changing("size", grpc("gRPC-java, Unix socket", "grpc --unix" + options)),
                        CurveLine.changing("size", grpc("gRPC-java, in-process", "grpc-inside" + options)),
                        CurveLine.of(
                                "Unix socket", size -> inC("Unix socket", "socket_pingpong --unix --size " + size)),
                        CurveLine.changing("size", inJava("downcall (memcpy)", "downcall" + options))));
    }

    private Curve depth() {
        var points = quick ? List.of(1, 8, 128, DEEPEST) : powersOfTwo(DEEPEST);
        var options = " --size 8 --depth " + DEEPEST;
        return new Curve(
                "depth",
                "Time per command or message of 8 B by depth",
                "the depth",
                false,
                points,
                Subjects.UCX_STREAM.inRoundsOf(ROUND),
                Quantity.MEAN,
                List.of(
                        CurveLine.of("C", depth -> stream(depth, 1)),
                        CurveLine.of(
                                "C, batches",
                                depth -> stream(depth, Math.clamp(depth / BATCHES_IN_FLIGHT, 1, LARGEST_BATCH))),
                        CurveLine.changing(
                                "depth",
                                inJava("Java explicit", "loopback" + options).at(Service.LOCAL)),
                        CurveLine.changing(
                                "depth",
                                inJava("Java explicit, batches", "loopback --batch " + LARGEST_BATCH + options)
                                        .at(Service.LOCAL)),
                        CurveLine.of("raw UCX", depth -> ucx(8, depth)),
                        CurveLine.changing("depth", inJava("Aeron IPC", "aeron" + options)),
                        CurveLine.changing("depth", grpc("gRPC-java, Unix socket", "grpc --unix" + options)),
                        CurveLine.of(
                                        "Unix socket",
                                        depth -> inC("Unix socket", "socket_pingpong --unix --size 8 --depth " + depth))
                                .upTo(DEEPEST_OF_SOCKET)));
    }

    private Curve workers() {
        var points = quick ? List.of(1, 16, MAX_WORKERS) : powersOfTwo(MAX_WORKERS);
        return new Curve(
                "workers",
                "Time per command of 8 B by workers of one daemon",
                "the number of workers",
                false,
                points,
                manyHosts("--hosts 1 --depth 8"),
                Quantity.MEAN,
                List.of(
                        CurveLine.of("all active, 8 hosts", workers -> ofHosts(workers, "")),
                        CurveLine.of("one active per host", workers -> ofHosts(workers, " --busy 1"))));
    }

    private static Subject ofHosts(int workers, String more) {
        return manyHosts("--depth 8 --workers " + workers + " --hosts " + Math.min(workers, MAX_HOSTS) + more);
    }

    private Curve hosts() {
        var points = quick ? List.of(1, MAX_HOSTS) : List.of(1, 2, 3, 4, 6, MAX_HOSTS);
        return new Curve(
                "hosts",
                "Time per command of 8 B by hosts of one daemon",
                "the number of hosts",
                false,
                points,
                manyHosts("--hosts 1 --depth 32"),
                Quantity.MEAN,
                List.of(
                        CurveLine.of("one worker each, depth 32", hosts -> manyHosts("--depth 32 --hosts " + hosts)),
                        CurveLine.of("one worker each, depth 1", hosts -> manyHosts("--depth 1 --hosts " + hosts))));
    }

    private static List<Integer> powersOfTwo(int most) {
        return IntStream.iterate(1, power -> power <= most, power -> 2 * power)
                .boxed()
                .toList();
    }

    private static Subject inC(String name, String command) {
        return Subject.inC(name, command).inRoundsOf(ROUND);
    }

    private static Subject stream(int depth, int batch) {
        return inC("C", "urom_loopback --size 8 --stream --depth " + depth + " --batch " + batch)
                .at(Service.LOCAL);
    }

    private static Subject manyHosts(String options) {
        return inC("one host with one worker", "urom_hosts --size 8 " + options)
                .inRoundsOf(ROUND_OF_MANY)
                .at(Service.LOCAL);
    }

    private static Subject ucx(int size, int depth) {
        return Subjects.ucx("raw UCX", "--size " + size + " --depth " + depth).inRoundsOf(ROUND);
    }

    private static Subject inJava(String name, String arguments) {
        return Subject.inJava(name, arguments).inRoundsOf(ROUND);
    }

    private Subject grpc(String name, String arguments) {
        return inJava(name, arguments).warmedUpFor(Duration.ofSeconds(quick ? 5 : 10));
    }
}
