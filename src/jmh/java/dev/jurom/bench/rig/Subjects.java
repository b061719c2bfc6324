// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * All that is measured, and what is compared with what. Where messages go to and fro, one side runs
 * on core 0 and the other on core 1; what has threads of its own runs where the system puts it.
 */
final class Subjects implements AutoCloseable {

    private static final int MEBIBYTE = 1 << 20;
    private static final int LARGE_MESSAGE = MEBIBYTE + (1 << 16);
    private static final Map<String, String> OVER_TCP = Map.of("UCX_TLS", "tcp");

    /** Takes the memory fences out of the JVM's transitions between Java and C. */
    private static final String NO_FENCES = "-XX:+UseSystemMemoryBarrier";

    private static final Duration WARM_UP_OF_GRPC = Duration.ofSeconds(10);

    /** Other threads of a JVM allocate a little now and then. */
    private static final double NO_BYTE = 0.5;
    private static final double ONE_OBJECT = 40;

    private final ServiceProcess service =
            ServiceProcess.start(ServiceProcess.DEFAULT_MESSAGE, Map.of());
    private final ServiceProcess serviceOverTcp =
            ServiceProcess.start(ServiceProcess.DEFAULT_MESSAGE, OVER_TCP);
    private final ServiceProcess serviceOfLarge = ServiceProcess.start(LARGE_MESSAGE, Map.of());

    /** Starts the services. */
    Subjects() {
    }

    /** A cache line that goes to the other core and back. */
    Subject cacheLine() {
        return Subject.inC("cache line", "shm_pingpong");
    }

    private Subject inJava(String name, String arguments) {
        return Subject.inJava(name, arguments).at(service);
    }

    private static Subject overTcp(Subject subject) {
        return subject.with("UCX_TLS", "tcp");
    }

    /** The explicit interface, one command at a time. */
    private Subject explicit() {
        return inJava("Java explicit", "loopback --size 64");
    }

    /** The facade, one call at a time. */
    private Subject facade() {
        return inJava("Java facade", "facade --size 64");
    }

    /** What is compared. */
    List<Comparison> comparisons() {
        var raw = Subject.inC("raw UCX", "ucx_pingpong --size 64");
        var rawOverTcp = overTcp(Subject.inC("raw UCX over tcp", "ucx_pingpong --size 64"));
        var c = Subject.inC("C", "urom_loopback --size 64").at(service);
        var cOverTcp = overTcp(Subject.inC("C over tcp", "urom_loopback --size 64"))
                .at(serviceOverTcp);
        var cStream = Subject.inC("C, depth 32", "urom_loopback --size 8 --depth 32").at(service);
        var cMebibyte = Subject.inC("C, 1 MiB", "urom_loopback --depth 4 --size " + MEBIBYTE
                + " --message-size " + LARGE_MESSAGE).at(serviceOfLarge);
        var java = explicit();
        var javaOverTcp = overTcp(inJava("Java explicit over tcp", "loopback --size 64"))
                .at(serviceOverTcp);
        var javaStream = inJava("Java, depth 32", "loopback --size 8 --depth 32");
        var grpc = inJava("gRPC-java", "grpc --size 64").warmedUpFor(WARM_UP_OF_GRPC);
        var grpcAnywhere = inJava("gRPC-java, cores not assigned", "grpc --size 64 --cores -1,-1")
                .warmedUpFor(WARM_UP_OF_GRPC);
        var oneThread = inJava("1 thread, 1 worker", "threads --threads 1 --depth 32");
        var eightThreads = inJava("8 threads, 8 workers", "threads --threads 8 --depth 32");
        var tcp = Subject.inC("TCP", "socket_pingpong --size 64");

        return List.of(
                Comparison.of("C round trip / raw UCX", Quantity.P50, c, raw, Goal.atMost(1.6)),
                Comparison.of("Java explicit / C", Quantity.P50, java, c, Goal.atMost(1.1)),
                Comparison.of("Java facade, a call that waits / Java explicit", Quantity.P50,
                        facade(), java, Goal.atMost(1.5)),
                Comparison.of("C over tcp / raw UCX over tcp", Quantity.P50, cOverTcp, rawOverTcp,
                        Goal.atMost(1.1)),
                Comparison.of("Java pipelined, depth 32 / C", Quantity.RATE, javaStream, cStream,
                        Goal.atLeast(0.9)),
                Comparison.of("C pipelined, depth 32, 8 B / UCX message rate", Quantity.RATE,
                        cStream,
                        Subject.inC("UCX message rate", "ucx_pingpong --size 8 --stream"),
                        Goal.atLeast(0.35)),
                new Comparison("1 MiB bandwidth, both ways / UCX, one way", cMebibyte,
                        Quantity.bandwidth(2 * MEBIBYTE),
                        Subject.inC("UCX, 1 MiB", "ucx_pingpong --stream --size " + MEBIBYTE),
                        Quantity.bandwidth(MEBIBYTE), Goal.atLeast(0.7)),
                Comparison.of("gRPC-java / Java explicit", Quantity.P50, grpc, java,
                        Goal.atLeast(100)),
                Comparison.of("gRPC-java / Java explicit over tcp", Quantity.P50, grpc, javaOverTcp,
                        Goal.atLeast(8)),
                Comparison.of("Worker spawn / exec, UCX context and worker", Quantity.P50,
                        inJava("worker spawn", "spawn"), Subject.inC("exec and UCX", "spawn_floor"),
                        Goal.atMost(2.5)),
                Comparison.of("8 threads, 8 workers / 1 thread, 1 worker", Quantity.RATE,
                        eightThreads, oneThread, Goal.atLeast(0.5)),

                Comparison.of("Java explicit, " + NO_FENCES + " / C", Quantity.P50,
                        java.withJvmOption(NO_FENCES), c, Goal.NONE),
                Comparison.of("Java, depth 32, " + NO_FENCES + " / C", Quantity.RATE,
                        javaStream.withJvmOption(NO_FENCES), cStream, Goal.NONE),
                Comparison.of("gRPC-java, cores not assigned / Java explicit", Quantity.P50,
                        grpcAnywhere, java, Goal.NONE),
                Comparison.of("raw UCX / cache line", Quantity.P50, raw, cacheLine(), Goal.NONE),
                Comparison.of("raw UCX over tcp / TCP", Quantity.P50, rawOverTcp, tcp, Goal.NONE),
                Comparison.of("Java explicit over tcp / C over tcp", Quantity.P50, javaOverTcp,
                        cOverTcp, Goal.NONE),
                Comparison.of("UCX from Java / Java explicit", Quantity.P50,
                        inJava("UCX from Java", "ucx --size 64")
                                .with("UCX_POSIX_ERROR_HANDLING", "y")
                                .with("UCX_SYSV_ERROR_HANDLING", "y"), java, Goal.NONE),
                Comparison.of("Aeron IPC / Java explicit", Quantity.P50,
                        inJava("Aeron IPC", "aeron --size 64"), java, Goal.NONE),
                Comparison.of("Unix socket, blocking / Java explicit", Quantity.P50,
                        Subject.inC("Unix socket", "socket_pingpong --size 64 --unix --blocking"),
                        java, Goal.NONE));
    }

    /** What is limited by itself. A facade's one object has 32 bytes, another would have 16 more. */
    List<Limit> limits() {
        return List.of(
                new Limit("Bytes a command allocates, Java explicit", explicit(),
                        Quantity.ALLOCATION, Goal.atMost(NO_BYTE)),
                new Limit("Bytes a command allocates, Java facade (one object)", facade(),
                        Quantity.ALLOCATION, Goal.atMost(ONE_OBJECT)));
    }

    @Override
    public void close() {
        service.close();
        serviceOverTcp.close();
        serviceOfLarge.close();
    }
}
