// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Valid and corrupted frames for property tests. */
final class Frames {

    private Frames() {}

    /** Frames of every type that the service sends or receives. */
    static Arbitrary<Frame> any() {
        return Arbitraries.oneOf(List.of(
                hello(),
                welcome(),
                failure(),
                spawn(),
                spawned(),
                release(),
                released(),
                workerGone(),
                getGroup(),
                workersOfGroup(),
                launch(),
                configure(),
                ready(),
                admit(),
                listening(),
                hostGone(),
                ping(),
                pong(),
                drain()));
    }

    /** Bytes of a frame after a corruption. */
    static Arbitrary<byte[]> damaged() {
        var encoded = any().map(PeerFrames::encode);
        return Arbitraries.oneOf(
                Combinators.combine(encoded, Arbitraries.integers().greaterOrEqual(0))
                        .as((bytes, cut) -> Arrays.copyOf(bytes, cut % bytes.length)),
                Combinators.combine(encoded, Arbitraries.integers().greaterOrEqual(0))
                        .as((bytes, cut) -> withLength(
                                Arrays.copyOf(bytes, Math.max(FrameDecoder.HEADER_SIZE, cut % bytes.length)))),
                Combinators.combine(encoded, Arbitraries.integers().between(1, 70))
                        .as((bytes, more) -> withLength(Arrays.copyOf(bytes, bytes.length + more))),
                Combinators.combine(encoded, changes()).as(Frames::change));
    }

    /** Random bytes, with or without a valid header. */
    static Arbitrary<byte[]> random() {
        var body = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
        return Arbitraries.oneOf(
                body,
                Combinators.combine(Arbitraries.bytes().between((byte) 0, (byte) 40), body)
                        .as(Frames::behindHeader));
    }

    private static byte[] behindHeader(byte type, byte[] body) {
        var frame = ByteBuffer.allocate(FrameDecoder.HEADER_SIZE + body.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putShort(FrameDecoder.MAGIC)
                .put(FrameDecoder.VERSION)
                .put(type)
                .putInt(body.length)
                .putLong(7)
                .put(body);
        return frame.array();
    }

    private static byte[] withLength(byte[] frame) {
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(4, frame.length - FrameDecoder.HEADER_SIZE);
        return frame;
    }

    private static Arbitrary<List<Tuple.Tuple2<Integer, Byte>>> changes() {
        return Combinators.combine(Arbitraries.integers().greaterOrEqual(0), Arbitraries.bytes())
                .as(Tuple::of)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
    }

    private static byte[] change(byte[] bytes, List<Tuple.Tuple2<Integer, Byte>> changes) {
        changes.forEach(change -> bytes[change.get1() % bytes.length] = change.get2());
        return bytes;
    }

    private static Arbitrary<Long> id() {
        return Arbitraries.longs();
    }

    private static Arbitrary<Integer> u32() {
        return Arbitraries.integers();
    }

    private static Arbitrary<Bytes> bytes(int min, int max) {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofMinSize(min)
                .ofMaxSize(max)
                .map(Bytes::of);
    }

    private static Arbitrary<Ticket> ticket() {
        return Combinators.combine(bytes(Ticket.ID_SIZE, Ticket.ID_SIZE), bytes(Ticket.KEY_SIZE, Ticket.KEY_SIZE))
                .as(Ticket::new);
    }

    private static Arbitrary<CpuSet> cpuSet() {
        return Arbitraries.integers()
                .between(0, CpuSet.CAPACITY - 1)
                .set()
                .ofMaxSize(20)
                .map(cpus -> CpuSet.of(cpus.stream().mapToInt(cpu -> cpu).toArray()));
    }

    private static Arbitrary<OptionalInt> group() {
        return u32().optional().map(group -> group.map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    /** Any Unicode text without NUL: surrogates come in pairs only. */
    private static Arbitrary<String> text(int max) {
        return Arbitraries.integers()
                .between(1, Character.MAX_CODE_POINT)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .list()
                .ofMaxSize(max)
                .map(points -> points.stream()
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString());
    }

    private static Arbitrary<List<String>> environment() {
        return Combinators.combine(Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(8), text(10))
                .as((name, value) -> name + "=" + value)
                .list()
                .ofMaxSize(5);
    }

    /** Text of at most 41 bytes. */
    private static Arbitrary<String> path() {
        return text(10).map(path -> "/" + path);
    }

    private static Arbitrary<String> address() {
        return text(10).filter(address -> !address.isEmpty());
    }

    private static Arbitrary<Binding> binding() {
        var port = Arbitraries.integers().between(1, 65_535);
        return Arbitraries.oneOf(
                Combinators.combine(address(), Arbitraries.of(true, false))
                        .as((address, ucx) -> new Binding(address, 0, 0, ucx)),
                Combinators.combine(address(), port, port)
                        .as((address, one, other) ->
                                new Binding(address, Math.min(one, other), Math.max(one, other), false)));
    }

    private static Arbitrary<PluginInfo> plugin() {
        return Combinators.combine(id(), id(), text(11).filter(name -> !name.isEmpty()))
                .as(PluginInfo::new);
    }

    private static Arbitrary<Frame> hello() {
        return Combinators.combine(
                        id(),
                        u32(),
                        Arbitraries.strings()
                                .ascii()
                                .excludeChars('\0')
                                .ofMinLength(1)
                                .ofMaxLength(FrameRules.RELEASE_SIZE - 1))
                .as(Frame.Hello::new);
    }

    private static Arbitrary<Frame> welcome() {
        return Combinators.combine(id(), u32(), u32(), cpuSet(), plugin().list().ofMaxSize(4))
                .as(Frame.Welcome::new);
    }

    private static Arbitrary<Frame> failure() {
        return Combinators.combine(id(), Arbitraries.of(DocaError.class).filter(error -> !error.isSuccess()), text(30))
                .as(Frame.Failure::new);
    }

    private static Arbitrary<Frame> spawn() {
        return Combinators.combine(id(), id(), id(), group(), cpuSet().optional(), environment())
                .as((requestId, workerId, plugins, group, cpuSet, environment) -> Frame.Spawn.of(
                                requestId, workerId, plugins)
                        .withGroup(group)
                        .withCpuSet(cpuSet)
                        .withEnvironment(environment));
    }

    private static Arbitrary<Frame> spawned() {
        return Combinators.combine(
                        id(),
                        id(),
                        u32(),
                        Arbitraries.of(true, false),
                        group(),
                        Arbitraries.of(true, false),
                        ticket(),
                        address())
                .as(Frame.Spawned::new);
    }

    private static Arbitrary<Frame> release() {
        return Combinators.combine(id(), id()).as(Frame.Release::new);
    }

    private static Arbitrary<Frame> released() {
        return Combinators.combine(id(), id()).as(Frame.Released::new);
    }

    private static Arbitrary<Frame> workerGone() {
        return Combinators.combine(id(), id(), u32(), Arbitraries.of(true, false), text(30))
                .as(Frame.WorkerGone::new);
    }

    private static Arbitrary<Frame> getGroup() {
        return Combinators.combine(id(), u32()).as(Frame.GetGroup::new);
    }

    private static Arbitrary<Frame> workersOfGroup() {
        return Combinators.combine(id(), id().list().ofMaxSize(5)).as(Frame.Group::new);
    }

    private static Arbitrary<Frame> launch() {
        var user = Combinators.combine(u32(), u32()).as(Frame.User::new).optional();
        return Combinators.combine(
                        id(),
                        user,
                        id(),
                        id().list().ofMaxSize(16),
                        path().optional(),
                        path().optional(),
                        environment())
                .as(Frame.Launch::new);
    }

    private static Arbitrary<Frame> configure() {
        return Combinators.combine(id(), id(), u32(), cpuSet().optional()).as(Frame.Configure::new);
    }

    private static Arbitrary<Frame> ready() {
        return Combinators.combine(id(), u32()).as(Frame.Ready::new);
    }

    private static Arbitrary<Frame> admit() {
        return Combinators.combine(id(), ticket(), id(), u32(), binding().optional())
                .as(Frame.Admit::new);
    }

    private static Arbitrary<Frame> listening() {
        return Combinators.combine(id(), Arbitraries.integers().between(1, 65_535))
                .as(Frame.Listening::new);
    }

    private static Arbitrary<Frame> hostGone() {
        return Combinators.combine(id(), id()).as(Frame.HostGone::new);
    }

    private static Arbitrary<Frame> ping() {
        return id().map(Frame.Ping::new);
    }

    private static Arbitrary<Frame> pong() {
        return id().map(Frame.Pong::new);
    }

    private static Arbitrary<Frame> drain() {
        return id().map(Frame.Drain::new);
    }
}
