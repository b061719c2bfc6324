// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.runtime.internal.SoftwareInstallation;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All subjects and comparisons. In round trips, one side runs on core 0 and the other on core 1;
 * multi-threaded subjects are not pinned.
 */
final class Subjects {

    private static final int MEBIBYTE = 1 << 20;

    /** Removes the memory fences from the JVM's transitions between Java and C. */
    private static final String NO_FENCES = "-XX:+UseSystemMemoryBarrier";

    private static final Duration WARM_UP_OF_GRPC = Duration.ofSeconds(10);
    private static final Duration WARM_UP_OF_MANY = Duration.ofSeconds(10);
    private static final Duration ROUND_OF_MANY = Duration.ofMillis(200);

    /** A bound above zero, since other threads of a JVM allocate occasionally. */
    private static final double NO_BYTE = 0.5;

    private static final Subject UCX = ucx("raw UCX", "--size 64");
    private static final Subject TCP = Subject.inC("TCP", "socket_pingpong --size 64");
    private static final Subject C = inC("C", "urom_loopback --size 64", Service.LOCAL);
    private static final Subject C_OVER_TLS = inC("C over TLS", "urom_loopback --size 64", Service.OVER_TLS);
    private static final Subject UCX_OVER_TCP = Subject.inC("raw UCX over tcp", "ucx_pingpong --size 64")
            .with("UCX_TLS", "tcp")
            .with("UCX_NET_DEVICES", "lo");
    private static final Subject C_OVER_UCX = inC("C over UCX", "urom_loopback --size 64", Service.OVER_UCX);
    private static final Subject C_STREAM = inC("C, depth 32", "urom_loopback --size 8 --depth 32", Service.LOCAL);
    private static final String BATCHES_AT_32 = " --size 8 --depth 32 --batch 32";
    private static final String BATCHES_AT_128 = " --size 8 --depth 128 --batch 32";
    private static final Subject C_BATCHES =
            inC("C, depth 128, batches", "urom_loopback" + BATCHES_AT_128, Service.LOCAL);
    private static final Subject JAVA_BATCHES = inJava("Java, depth 128, batches", "loopback" + BATCHES_AT_128);
    static final Subject UCX_STREAM = ucx("UCX, 8 B, one way", "--size 8 --stream");
    private static final Subject C_MEBIBYTE = inC(
            "C, 1 MiB",
            "urom_loopback --depth 4 --size " + MEBIBYTE + " --message-size " + Service.OF_LARGE.maxMessageSize(),
            Service.OF_LARGE);
    private static final Subject UCX_MEBIBYTE = ucx("UCX, 1 MiB, one way", "--stream --size " + MEBIBYTE);
    private static final Subject JAVA = inJava("Java explicit", "loopback --size 64");
    private static final Subject JAVA_STREAM = inJava("Java, depth 32", "loopback --size 8 --depth 32");
    private static final Subject JAVA_OVER_TLS =
            Subject.inJava("Java explicit over TLS", "loopback --size 64").at(Service.OVER_TLS);
    private static final Subject FACADE = inJava("Java facade", "facade --size 64");
    private static final Subject POOL = inJava("Java pool of one worker", "pool --size 64");
    private static final Subject EXPLICIT_BATCHES = inJava("Java explicit, batches of 32", "loopback" + BATCHES_AT_32);
    private static final Subject FACADE_BATCH =
            ofThreads("Java facade, 32 commands in one call", "facade-batch --size 8 --depth 32");
    private static final Subject GRPC = grpc("gRPC-java", "grpc");

    private Subjects() {}

    private static Subject inC(String name, String command, Service service) {
        return Subject.inC(name, command).at(service);
    }

    private static Subject inJava(String name, String arguments) {
        return Subject.inJava(name, arguments).at(Service.LOCAL);
    }

    /** Returns UCX with the local transports only: an additional tcp lane would slow it down. */
    static Subject ucx(String name, String options) {
        return Subject.inC(name, "ucx_pingpong " + options).with("UCX_TLS", "posix,cma,self");
    }

    /** Returns a subject of several threads, which settle late, and whose code the JVM compiles late. */
    private static Subject ofThreads(String name, String arguments) {
        return inJava(name, arguments).warmedUpFor(WARM_UP_OF_MANY).inRoundsOf(ROUND_OF_MANY);
    }

    private static Subject grpc(String name, String arguments) {
        return Subject.inJava(name, arguments + " --size 64").warmedUpFor(WARM_UP_OF_GRPC);
    }

    private static Comparison times(String name, Subject numerator, Subject denominator, Goal goal) {
        return Comparison.of(name, Quantity.TIME, numerator, denominator, goal);
    }

    private static Comparison rates(String name, Subject numerator, Subject denominator, Goal goal) {
        return Comparison.of(name, Quantity.RATE, numerator, denominator, goal);
    }

    /** Returns the comparisons with a name that contains the pattern. */
    static List<Comparison> comparisons(Pattern pattern) {
        return Stream.of(inC(), starts(), inJava(), channels(), forOrientation())
                .flatMap(List::stream)
                .filter(comparison -> pattern.matcher(comparison.name()).find())
                .toList();
    }

    /** Returns comparisons of the C library and the worker, without Java. */
    private static List<Comparison> inC() {
        return List.of(
                times("C round trip, 64 B / raw UCX active message", C, UCX, Goal.atMost(1.2, 0.75)),
                times(
                        "C round trip, 64 B / cache line round trip",
                        C,
                        CacheDomainProbe.CACHE_LINE,
                        Goal.atMost(2.5, 3.5)),
                rates("C rate, 8 B, depth 32 / UCX rate, 8 B, one way", C_STREAM, UCX_STREAM, Goal.atLeast(0.55, 1.0)),
                rates(
                        "C rate, 8 B, depth 128, batches / UCX rate, 8 B, one way",
                        C_BATCHES,
                        UCX_STREAM,
                        Goal.atLeast(1.5)),
                new Comparison(
                        "1 MiB both ways / UCX, 1 MiB one way",
                        C_MEBIBYTE,
                        Quantity.bandwidth(2 * MEBIBYTE),
                        UCX_MEBIBYTE,
                        Quantity.bandwidth(MEBIBYTE),
                        Relation.RATIO,
                        Goal.atLeast(0.9)),
                times("C round trip, 64 B, over TLS / raw TCP", C_OVER_TLS, TCP, Goal.atMost(2.0)),
                times("C round trip, 64 B, over UCX / raw UCX over tcp", C_OVER_UCX, UCX_OVER_TCP, Goal.atMost(1.05)),
                times("C round trip, 64 B, over UCX / over TLS", C_OVER_UCX, C_OVER_TLS, Goal.NONE),
                rates("8 hosts x 8 workers / 1 host x 1 worker", hosts(8), hosts(1), Goal.atLeast(0.6)),
                rates(
                        "8 UCX pairs / 1 UCX pair, depth 32",
                        ucxPairs("8 UCX pairs", "--hosts 8"),
                        ucxPairs("1 UCX pair", "--cores -1,-1"),
                        Goal.NONE),
                rates(
                        "8 hosts x 8 workers / 8 UCX pairs, depth 32",
                        hosts(8),
                        ucxPairs("8 UCX pairs", "--hosts 8"),
                        Goal.NONE),
                Comparison.of(
                        "p99 of 7 hosts, beside a host with 32 commands in flight / among 8 equal hosts, one worker",
                        Quantity.P99,
                        sharing(8, "7 hosts beside a greedy one", " --greedy 32"),
                        sharing(8, "8 hosts of one worker", ""),
                        Goal.atMost(3.0)),
                Comparison.of(
                        "p99 of 400 hosts, beside a host with 32 commands in flight / among 401 equal hosts, one worker",
                        Quantity.P99,
                        sharing(401, "400 hosts beside a greedy one", " --greedy 32"),
                        sharing(401, "401 hosts of one worker", ""),
                        Goal.atMost(3.0)));
    }

    /** Returns the given number of host processes with a worker each. */
    private static Subject hosts(int count) {
        return inC(
                        count + (count == 1 ? " host, " : " hosts, ") + count + (count == 1 ? " worker" : " workers"),
                        "urom_hosts --size 8 --depth 32 --hosts " + count,
                        Service.LOCAL)
                .inRoundsOf(ROUND_OF_MANY);
    }

    /** Returns pairs of processes that exchange messages of UCX as hosts and workers exchange commands. */
    private static Subject ucxPairs(String name, String options) {
        return ucx(name, "--size 8 --depth 32 " + options).inRoundsOf(ROUND_OF_MANY);
    }

    /** Returns hosts of one worker, each with one command in flight, unless the options differ for the first. */
    private static Subject sharing(int hosts, String name, String options) {
        return inC(name, "urom_hosts --size 8 --shared --hosts " + hosts + options, Service.LOCAL)
                .inRoundsOf(ROUND_OF_MANY);
    }

    private static List<Comparison> starts() {
        var software = SoftwareInstallation.current();
        var worker = Subject.inC(
                "launcher to READY",
                "program_start --program "
                        + software.workerProgram() + " --plugin "
                        + software.plugins().resolve("worker_graph.so"));
        return List.of(
                times(
                        "exec of the launcher to READY, graph plugin / exec of an empty program",
                        worker,
                        Subject.inC(
                                "exec of an empty program",
                                "program_start --program " + Subject.program("empty_program")),
                        Goal.atMost(3)),
                times(
                        "worker spawn, from Java / exec of the launcher to READY",
                        ofThreads("worker spawn", "spawn"),
                        worker,
                        Goal.atMost(3)));
    }

    /** Returns comparisons of Java with C and with alternatives in Java. */
    private static List<Comparison> inJava() {
        return List.of(
                times("Java explicit / C", JAVA, C, Goal.atMost(1.08)),
                times("Java explicit, " + NO_FENCES + " / C", JAVA.withJvmOption(NO_FENCES), C, Goal.atMost(1.05)),
                Comparison.added("Java explicit - C: overhead of Java", JAVA, C, Goal.atMost(20, 50)),
                times("Java facade, blocking call / Java explicit", FACADE, JAVA, Goal.atMost(1.10)),
                times("Java pool of one worker, blocking call / Java facade", POOL, FACADE, Goal.atMost(1.05)),
                rates("Java, depth 32 / C", JAVA_STREAM, C_STREAM, Goal.atLeast(0.97)),
                rates(
                        "Java, depth 32, batches of 32 / C with the same batches",
                        inJava("Java, depth 32, batches", "loopback" + BATCHES_AT_32),
                        inC("C, depth 32, batches", "urom_loopback" + BATCHES_AT_32, Service.LOCAL),
                        Goal.atLeast(0.95)),
                rates(
                        "Java, depth 128, batches of 32 / C with the same batches",
                        JAVA_BATCHES,
                        C_BATCHES,
                        Goal.atLeast(0.95)),
                rates(
                        "Java rate, 8 B, depth 128, batches / UCX rate, 8 B, one way",
                        JAVA_BATCHES,
                        UCX_STREAM,
                        Goal.atLeast(1.0)),
                times("gRPC-java / Java explicit", GRPC, JAVA, Goal.atLeast(350, 120)),
                times(
                        "Aeron IPC echo / Java explicit",
                        Subject.inJava("Aeron IPC", "aeron --size 64"),
                        JAVA,
                        Goal.atLeast(0.55)),
                times("gRPC-java, plain text / Java explicit over TLS", GRPC, JAVA_OVER_TLS, Goal.NONE),
                rates(
                        "Java facade, 32 commands in one call / Java explicit, batches of 32",
                        FACADE_BATCH,
                        EXPLICIT_BATCHES,
                        Goal.atLeast(0.9)),
                rates(
                        "Java facade, 32 commands in one call / Java explicit, 32 commands, all awaited",
                        FACADE_BATCH,
                        inJava("Java explicit, 32 commands, all awaited", "loopback" + BATCHES_AT_32 + " --await-all"),
                        Goal.NONE),
                rates(
                        "Java facade, 1024 commands in one call, 32 slots / Java explicit, batches of 32",
                        ofThreads(
                                "Java facade, 1024 commands in one call",
                                "facade-batch --size 8 --depth 32 --batch 1024"),
                        EXPLICIT_BATCHES,
                        Goal.atLeast(0.9)),
                rates(
                        "Java facade, 32 futures at a time, joined / Java explicit, batches of 32",
                        ofThreads("Java facade, 32 futures", "facade-futures --size 8 --depth 32"),
                        EXPLICIT_BATCHES,
                        Goal.atLeast(0.2)), // about 2 M/s
                rates(
                        "Java facade, 256 futures with callbacks / Java explicit, batches of 32",
                        ofThreads("Java facade, 256 futures with callbacks", "facade-callbacks --size 8 --depth 256"),
                        EXPLICIT_BATCHES,
                        Goal.atLeast(0.2)), // about 2 M/s
                rates(
                        "Java facade, 1 future at a time, joined / blocking call",
                        ofThreads("Java facade, 1 future", "facade-futures --size 64 --depth 1"),
                        FACADE,
                        Goal.atLeast(0.03)), // about 12 us
                rates("2 callers / 1 caller, facade", callers(2), callers(1), Goal.NONE),
                rates("8 callers / 1 caller, facade", callers(8), callers(1), Goal.NONE),
                rates("200 callers / 1 caller, facade", callers(200), callers(1), Goal.NONE),
                rates("200 virtual threads / 1 caller, facade", virtualCallers(200), callers(1), Goal.atLeast(0.35)),
                rates("2000 virtual threads / 1 caller, facade", virtualCallers(2000), callers(1), Goal.atLeast(0.22)),
                rates(
                        "8 threads, 8 workers / 1 thread, 1 worker",
                        threads("8 threads, 8 workers", 8),
                        threads("1 thread, 1 worker", 1),
                        Goal.atLeast(0.5)));
    }

    private static Subject callers(int count) {
        return inJava(count + " callers", "callers --size 64 --cores -1,-1 --threads " + count)
                .inRoundsOf(ROUND_OF_MANY);
    }

    /** Returns virtual threads of one worker. */
    private static Subject virtualCallers(int count) {
        return ofThreads(count + " virtual threads", "callers --virtual --size 64 --threads " + count);
    }

    private static Subject threads(String name, int count) {
        return inJava(name, "threads --depth 32 --threads " + count).inRoundsOf(ROUND_OF_MANY);
    }

    /** Returns comparisons with a channel without library, worker and plugin. */
    private static List<Comparison> channels() {
        var mebibyte = channel("channel, 1 MiB", "--unix --depth 4 --size " + MEBIBYTE);
        return List.of(
                times("C round trip, 64 B / channel only", C, channel("channel", "--unix --size 64"), Goal.NONE),
                rates(
                        "C rate, 8 B, depth 32 / channel only",
                        C_STREAM,
                        channel("channel, depth 32", "--unix --size 8 --depth 32"),
                        Goal.NONE),
                new Comparison(
                        "1 MiB both ways, channel only / UCX, 1 MiB one way",
                        mebibyte,
                        Quantity.bandwidth(2 * MEBIBYTE),
                        UCX_MEBIBYTE,
                        Quantity.bandwidth(MEBIBYTE),
                        Relation.RATIO,
                        Goal.NONE),
                times(
                        "C round trip, 64 B, over TLS / channel only, over TLS",
                        C_OVER_TLS,
                        channel("channel over TLS", "--size 64"),
                        Goal.NONE));
    }

    private static Subject channel(String name, String options) {
        return Subject.inC(name, "channel_pingpong " + options);
    }

    /** Returns comparisons without goals. */
    private static List<Comparison> forOrientation() {
        return List.of(
                rates(
                        "Java, depth 32, " + NO_FENCES + " / C",
                        JAVA_STREAM.withJvmOption(NO_FENCES),
                        C_STREAM,
                        Goal.NONE),
                times(
                        "gRPC-java, not pinned / Java explicit",
                        grpc("gRPC-java, not pinned", "grpc --cores -1,-1"),
                        JAVA,
                        Goal.NONE),
                times(
                        "gRPC-java, Unix socket / Java explicit",
                        grpc("gRPC-java, Unix socket", "grpc --unix"),
                        JAVA,
                        Goal.NONE),
                times(
                        "gRPC-java, in-process / Java explicit",
                        grpc("gRPC-java, in-process", "grpc-inside"),
                        JAVA,
                        Goal.NONE),
                times("raw UCX / cache line", UCX, CacheDomainProbe.CACHE_LINE, Goal.NONE),
                times("Java explicit over TLS / C over TLS", JAVA_OVER_TLS, C_OVER_TLS, Goal.NONE),
                times(
                        "UCX from Java / Java explicit",
                        Subject.inJava("UCX from Java", "ucx --size 64").with("UCX_TLS", "posix,cma,self"),
                        JAVA,
                        Goal.NONE),
                times(
                        "Unix socket, blocking / Java explicit",
                        Subject.inC("Unix socket", "socket_pingpong --size 64 --unix --blocking"),
                        JAVA,
                        Goal.NONE));
    }

    /** Returns the goals of single subjects. */
    static List<Limit> limits() {
        return List.of(
                new Limit(
                        "Allocated bytes per command, Java explicit", JAVA, Quantity.ALLOCATION, Goal.atMost(NO_BYTE)),
                new Limit(
                        "Allocated bytes per command, Java facade, blocking call",
                        FACADE,
                        Quantity.ALLOCATION,
                        Goal.atMost(NO_BYTE)),
                new Limit(
                        "Allocated bytes per command, Java pool, blocking call",
                        POOL,
                        Quantity.ALLOCATION,
                        Goal.atMost(NO_BYTE)));
    }
}
