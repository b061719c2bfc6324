// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.WorkerPool;
import dev.jurom.compress.BlockCosts.Caller;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.Offload;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and decompresses blocks and streams in UROM workers, or in this process where there are none.
 *
 * <p>A block is compressed to one frame of a standard format, and a frame is decompressed to a block, into a
 * buffer of the caller. {@link OffloadOutputStream} and {@link OffloadInputStream} process streams of blocks.
 *
 * <p>{@link CompressionConfiguration#service()} states where the service is found: by default, by the service file that
 * the environment names, or else it is an embedded service. The workers start when this is opened. A worker that exits
 * is replaced, and a service that exits is connected to again.
 *
 * <p>This class is thread-safe.
 */
public final class Compression implements AutoCloseable {

    private static final Thread ANY_THREAD =
            Thread.ofPlatform().inheritInheritableThreadLocals(false).unstarted(() -> {});
    private static final int COMMAND_SIZE = Math.toIntExact(CompressCommand.CODEC.size());
    private static final int ANSWER_SIZE = Math.toIntExact(CompressCommand.ANSWER.size());
    private static final Duration MAX_COMPLETION = Duration.ofMinutes(1); // with the actions that depend on it

    private final CompressionConfiguration configuration;
    private final @Nullable CompressionPool workers; // null: LOCAL
    private final ForkJoinPool completions = new ForkJoinPool(
            Math.max(2, Runtime.getRuntime().availableProcessors()), CompletionThread::new, null, true);
    private final LongAdder offloadedBlocks = new LongAdder();
    private final LongAdder offloadedBytes = new LongAdder();
    private final LongAdder localBlocks = new LongAdder();
    private final LongAdder localBytes = new LongAdder();
    private final LongAdder placedBlocks = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder offloadedNanos = new LongAdder();
    private final LongAdder localNanos = new LongAdder();
    private final LocalCodec codec = new LocalCodec();
    private final WindowMemory windows;
    private final Placement placement;
    private volatile boolean closed;

    private Compression(CompressionConfiguration configuration) throws CompressionException {
        this.configuration = configuration;
        this.windows = new WindowMemory(configuration.maxWindowMemory());
        this.placement = new Placement(configuration.mode(), configuration.workers());
        this.workers = configuration.mode() == CompressionMode.LOCAL ? null : new CompressionPool(configuration);
    }

    /** A thread that inherits nothing from the thread whose submission starts it. */
    private static final class CompletionThread extends ForkJoinWorkerThread {

        CompletionThread(ForkJoinPool pool) {
            super(null, pool, false);
            setName("jurom-compress-completion-" + getPoolIndex());
            setContextClassLoader(ClassLoader.getSystemClassLoader());
        }
    }

    /**
     * Opens a compression with the default configuration. Blocks as {@link #open(CompressionConfiguration)}.
     *
     * @return an open compression
     */
    public static Compression open() {
        try {
            return open(CompressionConfiguration.DEFAULT);
        } catch (CompressionException e) {
            throw new AssertionError(e); // only the mode OFFLOAD fails
        }
    }

    /**
     * Opens a compression and starts its workers. Blocks for at most a few minutes, usually for a fraction of a
     * second. In the modes {@link CompressionMode#SAVE_CPU} and {@link CompressionMode#AUTO}, workers that do not start now are started later.
     *
     * @param configuration the configuration
     * @return an open compression
     * @throws CompressionException with {@link CompressionError#NO_WORKER} in the mode
     *         {@link CompressionMode#OFFLOAD} if the workers do not start, with the cause; or
     *         {@link CompressionError#BLOCK_TOO_LARGE} if the configured blocks do not fit into a message
     */
    public static Compression open(CompressionConfiguration configuration) throws CompressionException {
        var compression = new Compression(configuration);
        if (configuration.mode() == CompressionMode.OFFLOAD && compression.blockSize() > compression.largestBlock()) {
            compression.close();
            throw compression.tooLarge(compression.blockSize());
        }
        return compression;
    }

    /**
     * Returns the configuration.
     *
     * @return the configuration that this was opened with
     */
    public CompressionConfiguration configuration() {
        return configuration;
    }

    /**
     * Returns the size of the blocks of streams.
     *
     * @return the configured size, or else the default size unless it exceeds a message, in
     *         bytes
     */
    public int blockSize() {
        var usual = Math.max(
                CompressionConfiguration.MIN_BLOCK_SIZE,
                Math.min(CompressionConfiguration.DEFAULT_BLOCK_SIZE, largestBlock()));
        return configuration.blockSize().orElse(usual);
    }

    /** Returns the size of the largest block that fits into a message. */
    private int largestBlock() {
        if (workers == null) {
            return CompressionConfiguration.MAX_BLOCK_SIZE;
        }
        return CompressionConfiguration.largestBlock(
                workers.messageSize(), configuration.parameters().sharedDictionary().length);
    }

    private CompressionException tooLarge(long size) {
        var messageSize = workers == null ? 0 : workers.messageSize();
        return new CompressionException(
                CompressionError.BLOCK_TOO_LARGE,
                0,
                size + " bytes, and the maximum message size of the service is " + messageSize
                        + ": configure smaller blocks, or start the service with a larger -m",
                null);
    }

    /**
     * Returns the size of a buffer that suffices for the output of a compression.
     *
     * @param size the size of the block in bytes
     * @return the size of the buffer in bytes
     */
    public long maxCompressedSize(long size) {
        return CompressionFormat.maxCompressedSize(size);
    }

    /**
     * Compresses a block with the parameters of the configuration.
     *
     * @param source the block
     * @param destination the buffer
     * @return as {@link #compress(CompressionParameters, MemorySegment, MemorySegment)}
     */
    public CompletableFuture<MemorySegment> compress(MemorySegment source, MemorySegment destination) {
        return compress(configuration.parameters(), source, destination);
    }

    /**
     * Compresses a block to one frame. Does not wait for a worker, but compresses on the current thread in the
     * mode {@link CompressionMode#LOCAL} and, if no worker runs or the block is small, in the modes
     * {@link CompressionMode#SAVE_CPU} and {@link CompressionMode#AUTO}. Both segments must be native memory or a {@code byte[]}, and accessible to all threads. Until the future is done, the
     * source must not change, and the destination must not be used. A thread that waits for the future may
     * complete it; actions that depend on it run on threads of this, unless they are added when it is done.
     *
     * @param parameters the parameters
     * @param source the block
     * @param destination the buffer, of {@link #maxCompressedSize} bytes for arbitrary content
     * @return a future of the part of the buffer that contains the frame. It fails with a
     *         {@link CompressionException}; the content of the buffer is then unspecified, but nothing outside of it
     *         changes
     * @throws IllegalArgumentException if a segment is not as stated
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<MemorySegment> compress(
            CompressionParameters parameters, MemorySegment source, MemorySegment destination) {
        return compress(parameters, source, destination, Caller.FUTURE);
    }

    /**
     * Compresses a block.
     *
     * @param caller the behaviour of the caller meanwhile
     */
    CompletableFuture<MemorySegment> compress(
            CompressionParameters parameters, MemorySegment source, MemorySegment destination, Caller caller) {
        return process(new Block(CompressCommand.COMPRESS, parameters, source, destination), caller);
    }

    /**
     * Decompresses a frame with the format and dictionary of the configuration.
     *
     * @param source exactly one frame
     * @param destination the buffer
     * @return as {@link #decompress(CompressionParameters, MemorySegment, MemorySegment)}
     */
    public CompletableFuture<MemorySegment> decompress(MemorySegment source, MemorySegment destination) {
        return decompress(configuration.parameters(), source, destination);
    }

    /**
     * Decompresses a frame, on the current thread in the modes {@link CompressionMode#LOCAL} and
     * {@link CompressionMode#AUTO} and, if no worker runs or the buffer is small, {@link CompressionMode#SAVE_CPU}. The
     * other conditions are those of
     * {@link #compress(CompressionParameters, MemorySegment, MemorySegment)}.
     *
     * @param parameters the parameters, of which the format and the dictionary are used
     * @param source exactly one frame
     * @param destination the buffer, which is the maximum size of the content
     * @return a future of the part of the buffer that contains the block. It fails with a
     *         {@link CompressionException}; the content of the buffer is then unspecified, but nothing outside of it
     *         changes
     * @throws IllegalArgumentException if a segment is not as stated
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<MemorySegment> decompress(
            CompressionParameters parameters, MemorySegment source, MemorySegment destination) {
        return process(new Block(CompressCommand.DECOMPRESS, parameters, source, destination), Caller.FUTURE);
    }

    /**
     * Returns a stream that compresses with the parameters of the configuration.
     *
     * @param out the destination, which the stream closes
     * @return the stream
     * @throws IllegalArgumentException if frames of the format cannot be concatenated
     */
    public OffloadOutputStream outputStream(OutputStream out) {
        return new OffloadOutputStream(this, configuration.parameters(), out);
    }

    /**
     * Returns a stream that decompresses with the parameters of the configuration.
     *
     * @param in the source, which the stream closes
     * @return the stream
     * @throws IllegalArgumentException if frames of the format cannot be concatenated
     */
    public OffloadInputStream inputStream(InputStream in) {
        return new OffloadInputStream(this, configuration.parameters(), in);
    }

    /**
     * Returns the counters of this.
     *
     * @return the current counters
     */
    public CompressionCounters counters() {
        return new CompressionCounters(
                offloadedBlocks.sum(),
                offloadedBytes.sum(),
                localBlocks.sum(),
                localBytes.sum(),
                placedBlocks.sum(),
                fallbacks.sum(),
                failures.sum(),
                workers == null ? 0 : workers.inFlight(),
                offloadedNanos.sum(),
                localNanos.sum(),
                workers == null ? 0 : workers.started(),
                workers == null ? 0 : workers.running());
    }

    /** Returns whether this process decompresses all blocks on the thread of the caller. */
    boolean decompressesInProcess() {
        return configuration.mode() == CompressionMode.LOCAL || configuration.mode() == CompressionMode.AUTO;
    }

    /**
     * Returns the maximum number of blocks of an output stream. While the configured number are in workers, this
     * process compresses as many in the mode AUTO, whose frames wait for those of the workers.
     */
    int maxBlocksOfStream() {
        return (configuration.mode() == CompressionMode.AUTO ? 2 : 1) * configuration.blocksInFlight();
    }

    /** Returns the memory that input streams use for windows. */
    WindowMemory windows() {
        return windows;
    }

    /** Counts bytes of a foreign frame, which this process has decompressed. */
    void countForeign(int bytes) {
        localBytes.add(bytes);
    }

    private CompletableFuture<MemorySegment> process(Block block, Caller caller) {
        if (closed) {
            throw new IllegalStateException("This Compression is closed");
        }
        block.requireUsable();
        try {
            block.load();
        } catch (CompressionException e) {
            failures.increment();
            return CompletableFuture.failedFuture(e);
        }
        try {
            if (workers == null) {
                return CompletableFuture.completedFuture(processLocally(block));
            }
            if (placement.isInProcess(block.type, block.parameters, block.contentSize(), caller)) {
                placedBlocks.increment();
                return CompletableFuture.completedFuture(processLocally(block));
            }
            var pool = workers.choose();
            if (pool == null) {
                return CompletableFuture.completedFuture(withoutWorker(block, workers.noWorker()));
            }
            if (!block.setRoom(workers.messageSize())) {
                return CompletableFuture.completedFuture(withoutWorker(block, tooLarge(block.source.byteSize())));
            }
            return submit(block, pool);
        } catch (CompressionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<MemorySegment> submit(Block block, WorkerPool pool) {
        var begin = System.nanoTime();
        var answer = pool.submit(block, block.command());
        var result = new BlockFuture(answer, completions, block);
        var flight = placement.begin(block.type, block.parameters, block.contentSize());
        answer.whenComplete((output, failure) -> {
            flight.end(failure == null);
            if (failure == null) {
                offloadedNanos.add(System.nanoTime() - begin);
                count(block, output, offloadedBlocks, offloadedBytes);
                result.handOver(output);
            } else {
                result.execute(() -> completeAfterFailure(result, block, failure));
            }
        });
        return result;
    }

    private void completeAfterFailure(BlockFuture result, Block block, Throwable failure) {
        if (result.isDone()) {
            return; // it was cancelled, and the caller owns the buffers
        }
        block.expectNoAnswer();
        try {
            result.complete(afterFailure(block, failure));
        } catch (CompressionException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private MemorySegment afterFailure(Block block, Throwable failure) throws CompressionException {
        var cause = failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
        var reason = translate(cause);
        if (reason.error() == CompressionError.OUTPUT_TOO_LARGE && block.isRoomLimited()) {
            reason = tooLarge(block.destination.byteSize());
        }
        return withoutWorker(block, reason);
    }

    private static CompressionException translate(Throwable cause) {
        if (cause instanceof DocaException e && e.response().length > 0) {
            var error = CompressCommand.error(e.response());
            if (error != CompressionError.WORKER_FAILED) {
                return new CompressionException(error, 0, "in a worker", null);
            }
        }
        return new CompressionException(CompressionError.WORKER_FAILED, 0, String.valueOf(cause.getMessage()), cause);
    }

    /** Handles a block that workers could not process for this reason. */
    private MemorySegment withoutWorker(Block block, CompressionException reason) throws CompressionException {
        if (configuration.mode() == CompressionMode.OFFLOAD || !reason.error().isOfWorker()) {
            failures.increment();
            throw reason;
        }
        fallbacks.increment();
        var event = new FallbackEvent();
        event.begin();
        try {
            return processLocally(block);
        } finally {
            event.end();
            record(event, block, reason);
        }
    }

    private static void record(FallbackEvent event, Block block, CompressionException reason) {
        if (event.shouldCommit()) {
            event.operation = block.type == CompressCommand.COMPRESS ? "compress" : "decompress";
            event.format = block.parameters.format().name();
            event.bytes = block.source.byteSize();
            event.error = reason.error().name();
            event.reason = String.valueOf(reason.getMessage());
            event.commit();
        }
    }

    private MemorySegment processLocally(Block block) throws CompressionException {
        try {
            var begin = System.nanoTime();
            var output = block.runLocally(codec);
            var nanos = System.nanoTime() - begin;
            localNanos.add(nanos);
            placement.addInProcess(block.type, block.parameters, block.contentSize(), nanos);
            count(block, output, localBlocks, localBytes);
            return output;
        } catch (CompressionException e) {
            failures.increment();
            throw e;
        }
    }

    private static void count(Block block, MemorySegment output, LongAdder blocks, LongAdder bytes) {
        blocks.increment();
        bytes.add(block.type == CompressCommand.COMPRESS ? block.source.byteSize() : output.byteSize());
    }

    /**
     * Closes the workers. Blocks in flight are processed in this process in the modes
     * {@link CompressionMode#SAVE_CPU} and {@link CompressionMode#AUTO}, and fail in the mode {@link CompressionMode#OFFLOAD}. No effect if this is
     * closed. Blocks for at most a few minutes. Not interruptible: the interrupt status is preserved.
     */
    @Override
    public void close() {
        closed = true;
        if (workers != null) {
            workers.close();
        }
        completions.shutdown();
        if (ForkJoinTask.getPool() != completions) {
            awaitCompletions();
        }
        codec.close();
    }

    private void awaitCompletions() {
        var interrupted = false;
        var end = System.nanoTime() + MAX_COMPLETION.toNanos();
        while (!completions.isTerminated() && System.nanoTime() - end < 0) {
            try {
                completions.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "Compression[" + configuration + "]";
    }

    /**
     * A block in flight, and the kind of its command. Arrays are used in place. Native memory is accessed only by the
     * calling thread and by the thread that completes the future: its arena may be closed, and a mapped file truncated,
     * at any time, which must fail neither the engine thread nor native code.
     */
    private static final class Block implements Offload<CompressCommand, MemorySegment>, BlockFuture.Delivery {

        final int type;
        final CompressionParameters parameters;
        final MemorySegment source;
        final MemorySegment destination;
        private MemorySegment input = MemorySegment.NULL; // an array
        private long capacity;
        private State state = State.NEW; // guarded by this

        /** The writer of the buffer. */
        private enum State {
            /** An answer, or the calling thread. */
            NEW,
            /** A thread that processes the block because no worker could. */
            FAILED,
            /** The caller. */
            RELEASED
        }

        Block(int type, CompressionParameters parameters, MemorySegment source, MemorySegment destination) {
            this.type = type;
            this.parameters = parameters;
            this.source = source;
            this.destination = destination;
        }

        void requireUsable() {
            requireUsable("source", source);
            requireUsable("destination", destination);
            if (destination.isReadOnly()) {
                throw new IllegalArgumentException("The destination is read-only");
            }
        }

        private static void requireUsable(String name, MemorySegment segment) {
            if (!segment.isNative()
                    && !segment.isReadOnly()
                    && !(segment.heapBase().orElse(null) instanceof byte[])) {
                throw new IllegalArgumentException("The " + name + " is neither native memory nor a byte[]");
            }
            if (!segment.isAccessibleBy(ANY_THREAD)) {
                throw new IllegalArgumentException("The " + name
                        + " is not accessible to all threads: use Arena.ofShared() or Arena.ofAuto() for it");
            }
            if (segment.byteSize() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("The " + name + " has " + segment.byteSize() + " bytes");
            }
        }

        private static boolean isArray(MemorySegment segment) {
            return segment.heapBase().orElse(null) instanceof byte[];
        }

        /** Returns the uncompressed size, or the maximum one, in bytes. */
        long contentSize() {
            return type == CompressCommand.COMPRESS ? source.byteSize() : destination.byteSize();
        }

        /** Makes the input available to other threads. */
        void load() throws CompressionException {
            var isInPlace =
                    isArray(source) && source.asOverlappingSlice(destination).isEmpty();
            input = isInPlace ? source : MemorySegment.ofArray(new byte[(int) source.byteSize()]);
            if (!isInPlace) {
                copy("source", source, input);
            }
        }

        /** Copies from or to memory of the caller. */
        private static void copy(String name, MemorySegment from, MemorySegment to) throws CompressionException {
            try {
                to.copyFrom(from);
                // A fault in a mapped file is thrown only at the next transition from native code.
                Thread.holdsLock(ANY_THREAD);
            } catch (IllegalStateException | InternalError e) {
                throw new CompressionException(
                        CompressionError.INACCESSIBLE, 0, "the " + name + ": " + e.getMessage(), e);
            }
        }

        /** Sets the maximum size of the output. Returns false if the block does not fit into messages. */
        boolean setRoom(int messageSize) {
            var dictionary = parameters.sharedDictionary().length;
            var sent = (long) CompressCommand.MESSAGE_HEADER + COMMAND_SIZE + dictionary + input.byteSize();
            var answered = (long) messageSize - CompressCommand.NOTIFICATION_HEADER - ANSWER_SIZE;
            capacity = Math.min(destination.byteSize(), answered);
            return sent <= messageSize && capacity >= 0;
        }

        /** Returns whether the message limits the output rather than the buffer. */
        boolean isRoomLimited() {
            return capacity < destination.byteSize();
        }

        CompressCommand command() {
            return new CompressCommand(
                    type,
                    parameters.format().code(),
                    type == CompressCommand.COMPRESS ? parameters.level() : 0,
                    type == CompressCommand.COMPRESS && parameters.checksum() ? CompressCommand.CHECKSUM : 0,
                    capacity,
                    MemorySegment.ofArray(parameters.sharedDictionary()),
                    input);
        }

        @Override
        public String plugin() {
            return CompressCommand.PLUGIN;
        }

        @Override
        public long version() {
            return CompressCommand.VERSION;
        }

        @Override
        public long pack(CompressCommand command, MemorySegment payload) {
            return CompressCommand.CODEC.pack(command, payload);
        }

        @Override
        public boolean unpacksAtOnce() {
            return true;
        }

        @Override
        public synchronized MemorySegment unpack(MemorySegment response) {
            if (state != State.NEW) {
                throw new IllegalStateException("The block has timed out");
            }
            var output = CompressCommand.ANSWER.unpack(response).output();
            if (output.byteSize() > destination.byteSize()) {
                throw new CodecException(
                        CompressCommand.ANSWER.name(),
                        0,
                        "the output has " + output.byteSize() + " bytes, and the buffer " + destination.byteSize());
            }
            return isArray(destination)
                    ? destination.asSlice(0, output.byteSize()).copyFrom(output)
                    : MemorySegment.ofArray(output.toArray(ValueLayout.JAVA_BYTE));
        }

        /** Ends the use of the buffer by a late answer. */
        synchronized void expectNoAnswer() {
            if (state == State.NEW) {
                state = State.FAILED;
            }
        }

        @Override
        public synchronized void abandon() {
            state = State.RELEASED;
        }

        @Override
        public synchronized MemorySegment deliver(MemorySegment output) throws CompressionException {
            if (state == State.RELEASED) {
                throw new CompressionException(CompressionError.INACCESSIBLE, 0, "the block was cancelled", null);
            }
            var target = destination.asSlice(0, output.byteSize());
            if (target.asOverlappingSlice(output).isEmpty()) {
                copy("destination", output, target);
            }
            return target;
        }

        private synchronized boolean hasFailed() {
            return state != State.NEW;
        }

        /** Processes the block. If it is cancelled in flight, it must not change the buffer afterwards. */
        MemorySegment runLocally(LocalCodec codec) throws CompressionException {
            var room = type == CompressCommand.COMPRESS
                    ? Math.min(destination.byteSize(), CompressionFormat.maxCompressedSize(source.byteSize()))
                    : destination.byteSize();
            var output = isArray(destination) && !hasFailed()
                    ? destination.asSlice(0, room)
                    : MemorySegment.ofArray(new byte[(int) room]);
            var length = type == CompressCommand.COMPRESS
                    ? codec.compress(parameters, input, output)
                    : codec.decompress(parameters, input, output);
            return deliver(output.asSlice(0, length));
        }
    }
}
