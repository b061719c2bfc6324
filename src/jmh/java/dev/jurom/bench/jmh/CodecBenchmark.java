// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.plugin.UnionCodec;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphCommand;
import dev.jurom.plugin.graph.GraphNotification;
import dev.jurom.plugin.rdmo.RdmoCodec;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.sandbox.SandboxCommand;
import dev.jurom.plugin.sandbox.SandboxCommandCodec;
import dev.jurom.plugin.sandbox.UcxLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of packing and unpacking a command, with 64 bytes of variable data if the command supports it. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

    private static final int INLINE = 64;
    private static final int PAYLOAD = 4096;

    private final MemorySegment payload = Arena.global().allocate(PAYLOAD, Long.BYTES);
    private final MemorySegment inline = Arena.global().allocate(INLINE);
    private final GraphCommand loopback = new GraphCommand.Loopback(1, inline);
    private final RdmoCommand register = new RdmoCommand.RegisterMemory(1, 2, inline, MemorySegment.NULL);
    private final SandboxCommand send = SandboxCommand.Send.inline(1, 2, 3, inline);
    private final UnionCodec<SandboxCommand> sandbox = SandboxCommandCodec.of(UcxLayout.UCX_1_13);
    private MemorySegment packed;

    /** Called by JMH. */
    public CodecBenchmark() {}

    /** Packs the command that is unpacked. */
    @Setup
    public void pack() {
        packed = payload.asSlice(0, GraphCodec.COMMAND.pack(loopback, payload));
    }

    /** Packs without a record and without variable data. */
    @Benchmark
    public long packGraphWithoutRecord() {
        return GraphCodec.packLoopback(1, payload);
    }

    /** Packs a {@link GraphCommand.Loopback}. */
    @Benchmark
    public long packGraph() {
        return GraphCodec.COMMAND.pack(loopback, payload);
    }

    /** Packs a {@link SandboxCommand.Send}. */
    @Benchmark
    public long packSandbox() {
        return sandbox.pack(send, payload);
    }

    /** Packs an {@link RdmoCommand.RegisterMemory}. */
    @Benchmark
    public long packRdmo() {
        return RdmoCodec.COMMAND.pack(register, payload);
    }

    /** Unpacks without a record; commands and notifications of the graph plugin have the same layout. */
    @Benchmark
    public long unpackGraphWithoutRecord() {
        return GraphCodec.loopbackData(packed);
    }

    /** Unpacks a {@link GraphNotification.Loopback}. */
    @Benchmark
    public GraphNotification unpackGraph() {
        return GraphCodec.NOTIFICATION.unpack(packed);
    }
}
