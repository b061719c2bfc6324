// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import com.sun.management.ThreadMXBean;
import dev.jurom.core.DocaError;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A plugin that executes the action in a command, such as a failure. */
public final class ProbePlugin implements WorkerPlugin {

    static final String NAME = "worker_probe";

    private static final Executor VIRTUAL = Executors.newVirtualThreadPerTaskExecutor();

    /** The action of a command. */
    enum Action {
        ECHO,
        ECHO_RAW,
        THROW,
        OVERFLOW,
        EXHAUST,
        FILL_HEAP,
        CRASH,
        FAIL,
        FORGET,
        TWICE,
        DEFER,
        DEFER_TWICE,
        DEFER_AND_THROW,
        PROGRESS,
        KEEP_PAYLOAD,
        ALLOCATED,
        DEPARTED,
        EXIT,
        LARGE,
        IMPORT,
        READ,
        INVERT,
        READ_UNTIL_ERROR,
        ERROR,
        WORK,
        DEADLINE,
        HOLD,
        HOLD_QUIETLY,
        RELEASE,
        CANCELLED,
        DISCARD,
        COLLECT,
        COMPUTE,
        COMPUTE_NOTHING,
        COMPUTE_TOO_LATE,
        COMPUTE_UNTIL_UNWANTED,
        MAX_HEAP
    }

    /** A command: what to do, and bytes to return. */
    record Request(Action action, MemorySegment bytes) {

        static Request of(Action action, String text) {
            return new Request(action, MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The answer. */
    record Answer(MemorySegment bytes) {

        String text() {
            return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    static final StructCodec<Request> REQUEST = request();
    static final StructCodec<Answer> ANSWER = answer();

    /** The commands. */
    static final Offload<Request, Answer> PROBE = Offload.of(NAME, 1, REQUEST, ANSWER);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Queue<DeferredResponse> waiting = new ArrayDeque<>();
    private final ConcurrentSkipListSet<Long> departed = new ConcurrentSkipListSet<>();
    private MemorySegment kept = MemorySegment.NULL;
    private ImportedMemory memory;
    private DeferredResponse held;
    private final AtomicLong cancelled = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private volatile String error = "";

    private static StructCodec<Request> request() {
        StructBuilder<Request> struct = StructBuilder.struct("probe_request");
        var action = struct.u32("action", request -> request.action().ordinal());
        var bytes = struct.rest("bytes", Request::bytes);
        return struct.codec(in -> new Request(Action.values()[action.getInt(in)], bytes.get(in)));
    }

    private static StructCodec<Answer> answer() {
        StructBuilder<Answer> struct = StructBuilder.struct("probe_answer");
        struct.u32("reserved", answer -> 0);
        var bytes = struct.rest("bytes", Answer::bytes);
        return struct.codec(in -> new Answer(bytes.get(in)));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public void command(Command command, Responder responder) throws Exception {
        if (command.payload().byteSize() >= Integer.BYTES
                && command.payload().get(ValueLayout.JAVA_INT_UNALIGNED, 0) == Action.ECHO_RAW.ordinal()) {
            var length = command.payload().byteSize();
            MemorySegment.copy(command.payload(), 0, responder.room(), 0, length);
            responder.reply(length);
            return;
        }
        var request = command.read(REQUEST);
        var answer = new Answer(MemorySegment.ofArray(request.bytes().toArray(ValueLayout.JAVA_BYTE)));
        switch (request.action()) {
            case ECHO, ECHO_RAW -> responder.reply(answer, ANSWER);
            case THROW -> throw new IllegalStateException("on request");
            case OVERFLOW -> responder.reply(new Answer(MemorySegment.ofArray(new byte[depth(0)])), ANSWER);
            case EXHAUST -> responder.reply(new long[Integer.MAX_VALUE - 8].length);
            case FILL_HEAP -> reply(responder, fillHeap(new ArrayList<>()));
            case CRASH ->
                reply(responder, MemorySegment.ofAddress(8).reinterpret(8).get(ValueLayout.JAVA_LONG, 0));
            case FAIL -> responder.fail(DocaError.NOT_PERMITTED, answer.text());
            case FORGET -> {}
            case TWICE -> {
                responder.reply(answer, ANSWER);
                responder.reply(answer, ANSWER);
            }
            case DEFER -> {
                var later = responder.defer();
                Thread.ofVirtual().start(() -> later.reply(answer, ANSWER));
            }
            case DEFER_TWICE -> {
                var later = responder.defer();
                later.fail(DocaError.AGAIN, "the first answer");
                later.reply(answer, ANSWER);
            }
            case DEFER_AND_THROW -> {
                responder.defer();
                throw new IllegalStateException("after the deferral");
            }
            case PROGRESS -> waiting.add(responder.defer());
            case KEEP_PAYLOAD -> {
                var before = kept;
                kept = command.payload();
                responder.reply(new Answer(MemorySegment.ofArray(readBy(before))), ANSWER);
            }
            case ALLOCATED -> reply(responder, THREADS.getCurrentThreadAllocatedBytes());
            case DEPARTED -> reply(responder, departed.size());
            case EXIT -> System.exit(3);
            case LARGE -> responder.reply(responder.room().byteSize());
            case IMPORT -> {
                memory = command.importMemory(request.bytes());
                reply(responder, memory.byteSize());
            }
            case READ -> {
                var range = answer.text().split(" ");
                var bytes = new byte[Integer.parseInt(range[1])];
                memory.read(Long.parseLong(range[0]), MemorySegment.ofArray(bytes));
                responder.reply(new Answer(MemorySegment.ofArray(bytes)), ANSWER);
            }
            case INVERT -> {
                invert();
                responder.reply(answer, ANSWER);
            }
            case READ_UNTIL_ERROR -> {
                Thread.ofPlatform().daemon().start(this::readUntilError);
                responder.reply(answer, ANSWER);
            }
            case WORK -> work(command, responder, answer);
            case DEADLINE ->
                reply(
                        responder,
                        command.deadline()
                                .map(deadline -> Duration.between(Instant.now(), deadline)
                                        .toMillis())
                                .orElse(0L));
            case HOLD -> {
                var later = responder.defer();
                responder.onCancel(() -> {
                    cancelled.incrementAndGet();
                    later.fail(DocaError.SKIPPED, "cancelled");
                });
            }
            case HOLD_QUIETLY -> {
                held = responder.defer();
                responder.onCancel(() -> {
                    cancelled.incrementAndGet();
                    throw new IllegalStateException("on cancel");
                });
            }
            case RELEASE -> {
                held.reply(answer, ANSWER);
                responder.reply(answer, ANSWER);
            }
            case CANCELLED -> reply(responder, cancelled.get());
            case DISCARD -> responder.defer();
            case COLLECT -> {
                System.gc();
                responder.reply(answer, ANSWER);
            }
            case COMPUTE ->
                responder.replyFrom(
                        VIRTUAL, copy -> new Answer(copy.read(REQUEST).bytes()), ANSWER);
            case COMPUTE_NOTHING ->
                responder.replyFrom(
                        VIRTUAL,
                        copy -> {
                            throw new IOException("on another thread");
                        },
                        ANSWER);
            case COMPUTE_TOO_LATE -> {
                var closed = Executors.newVirtualThreadPerTaskExecutor();
                closed.shutdown();
                responder.replyFrom(closed, copy -> answer, ANSWER);
            }
            case COMPUTE_UNTIL_UNWANTED ->
                responder.replyFrom(
                        VIRTUAL,
                        copy -> {
                            while (copy.isWanted()) {
                                Thread.onSpinWait();
                            }
                            cancelled.incrementAndGet();
                            return answer;
                        },
                        ANSWER);
            case ERROR -> responder.reply(Request.of(Action.ECHO, reads + " " + error), REQUEST);
            case MAX_HEAP -> reply(responder, Runtime.getRuntime().maxMemory());
        }
    }

    /** Answers once the command is no longer wanted, or after a minute. */
    private static void work(Command command, Responder responder, Answer answer) throws InterruptedException {
        for (var i = 0; i < 60_000; i++) {
            if (!command.isWanted()) {
                responder.fail(DocaError.SKIPPED, "not wanted");
                return;
            }
            Thread.sleep(1);
        }
        responder.reply(answer, ANSWER);
    }

    private static int fillHeap(List<byte[]> all) {
        while (true) {
            all.add(new byte[1 << 20]);
        }
    }

    private void invert() {
        try (var arena = Arena.ofConfined()) {
            var bytes = arena.allocate(memory.byteSize());
            memory.read(0, bytes);
            for (var i = 0L; i < bytes.byteSize(); i++) {
                bytes.set(ValueLayout.JAVA_BYTE, i, (byte) ~bytes.get(ValueLayout.JAVA_BYTE, i));
            }
            memory.write(0, bytes);
        }
    }

    private void readUntilError() {
        var all = MemorySegment.ofArray(new byte[(int) memory.byteSize()]);
        try {
            while (true) {
                memory.read(0, all);
                reads.incrementAndGet();
            }
        } catch (RuntimeException e) {
            error = e.toString();
        }
    }

    private static void reply(Responder responder, long number) {
        responder.reply(Request.of(Action.ECHO, Long.toString(number)), REQUEST);
    }

    private static int depth(int depth) {
        return depth(depth + 1) + 1;
    }

    /** Returns what another thread gets from a payload. */
    private static byte[] readBy(MemorySegment payload) throws InterruptedException {
        var outcome = new StringBuilder();
        var reader = new Thread(() -> {
            try {
                outcome.append(payload.get(ValueLayout.JAVA_BYTE, 0));
            } catch (WrongThreadException | IndexOutOfBoundsException e) {
                outcome.append(e.getClass().getSimpleName());
            }
        });
        reader.start();
        reader.join();
        return outcome.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean progress() {
        if (!waiting.isEmpty()) {
            waiting.remove().reply(Request.of(Action.ECHO, "progressed"), REQUEST);
        }
        return !waiting.isEmpty();
    }

    @Override
    public void hostLeft(long host) {
        departed.add(host);
    }
}
