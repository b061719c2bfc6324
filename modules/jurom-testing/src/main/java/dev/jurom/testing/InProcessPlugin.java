// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.MemoryMap;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.internal.FailureText;
import dev.jurom.worker.WorkerPlugin;
import dev.jurom.worker.internal.AnswerQueue;
import dev.jurom.worker.internal.Exchange;
import dev.jurom.worker.internal.MemorySource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A worker plugin in Java that runs in this process, without a worker and a service. It executes one
 * command at a time, with the same rules as in a worker, except that memory that this process has exported
 * is accessed whatever its permissions are. Confined to the thread that opened it.
 */
public final class InProcessPlugin implements AutoCloseable {

    private static final int CAPACITY = 1 << 16; // bytes of a command and of an answer
    private static final long HOST = 1;
    private static final long TIMEOUT_SECONDS = 30;

    private record Outcome(DocaError error, byte[] bytes) {}

    /** The deferred answers, by their numbers. Thread-safe. */
    private static final class Deferrals implements AnswerQueue {

        private final Map<Long, CompletableFuture<Outcome>> outcomes = new ConcurrentHashMap<>();
        private long last; // of the thread that opened the plugin

        @Override
        public long defer() {
            outcomes.remove(last); // its command has ended
            outcomes.put(++last, new CompletableFuture<>());
            return last;
        }

        @Override
        public void busy(int seconds) {
            // No service waits for the answer.
        }

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public long deadline() {
            return 0;
        }

        @Override
        public void answer(long deferral, int status, byte[] bytes, int length) {
            var outcome = outcomes.get(deferral);
            if (outcome != null) {
                outcome.complete(new Outcome(DocaError.of(status), Arrays.copyOf(bytes, length)));
            }
        }

        CompletableFuture<Outcome> last() {
            return outcomes.get(last);
        }
    }

    /** Memory of this process, which it has exported. */
    private record OwnRegion(Device device, MemoryMap map) implements MemorySource.Region {

        @Override
        public long byteSize() {
            return map.range().byteSize();
        }

        @Override
        public void read(long offset, MemorySegment to) {
            MemorySegment.copy(map.range(), offset, to, 0, to.byteSize());
        }

        @Override
        public void write(long offset, MemorySegment from) {
            MemorySegment.copy(from, 0, map.range(), offset, from.byteSize());
        }

        @Override
        public void close() {
            map.close();
            device.close();
        }
    }

    private final WorkerPlugin plugin;
    private final Exchange exchange;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment payload = arena.allocate(CAPACITY, Long.BYTES);
    private final MemorySegment answer = arena.allocate(CAPACITY, Long.BYTES);
    private final Deferrals deferrals = new Deferrals();
    private boolean closed;

    private InProcessPlugin(WorkerPlugin plugin) {
        this.plugin = plugin;
        this.exchange = new Exchange(plugin, deferrals, InProcessPlugin::open);
        exchange.setMemory(payload, answer);
    }

    private static MemorySource.Region open(byte[] export) {
        var device = Device.open();
        try {
            return new OwnRegion(device, MemoryMap.fromExport(export, device));
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    /**
     * Opens a plugin.
     *
     * @param plugin a plugin that is not open
     * @return the plugin, ready for commands
     * @throws Exception if its {@link WorkerPlugin#open} throws it
     */
    public static InProcessPlugin open(WorkerPlugin plugin) throws Exception {
        plugin.open();
        return new InProcessPlugin(plugin);
    }

    /**
     * Packs a command, executes it, and unpacks the answer. Blocks for at most 30 s until a deferred
     * answer is given.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command
     * @return the answer
     * @throws DocaException if the plugin fails the command, with {@code TIME_OUT} if it does not answer
     * @throws IllegalArgumentException if the offload is one of another plugin or version
     * @throws IllegalStateException if this is closed
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public <C, R> R call(Offload<C, R> offload, C command) throws InterruptedException {
        if (closed) {
            throw new IllegalStateException("The plugin " + plugin.name() + " is closed");
        }
        if (!offload.plugin().equals(plugin.name()) || offload.version() != plugin.version()) {
            throw new IllegalArgumentException("The command is for " + offload.plugin() + " of version "
                    + offload.version() + ", not for " + plugin.name() + " of version " + plugin.version());
        }
        var outcome = run(offload.pack(command, payload));
        if (!outcome.error().isSuccess()) {
            throw DocaException.of(
                    outcome.error(),
                    "doca_task_submit",
                    "the plugin \"" + plugin.name() + "\" refused a command",
                    FailureText.decode(outcome.bytes()).orElse("It gave no reason."),
                    outcome.bytes());
        }
        return offload.unpack(MemorySegment.ofArray(outcome.bytes()));
    }

    private Outcome run(long length) throws InterruptedException {
        var result = exchange.run(HOST, length);
        if (result == Exchange.DEFERRED) {
            return awaitDeferred();
        }
        var encoded = result >= 0 ? result : ~result;
        var error = result >= 0 ? DocaError.SUCCESS : DocaError.of((int) (encoded >> Integer.SIZE));
        return new Outcome(error, answer.asSlice(0, (int) encoded).toArray(ValueLayout.JAVA_BYTE));
    }

    private Outcome awaitDeferred() throws InterruptedException {
        var outcome = deferrals.last();
        var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        try {
            while (!outcome.isDone() && System.nanoTime() - end < 0 && plugin.progress()) {
                // It has more to do.
            }
            return outcome.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new DocaException(
                    DocaError.TIME_OUT, "doca_task_submit", plugin.name(), "It did not answer a deferred command.");
        } catch (InterruptedException e) {
            throw e;
        } catch (ExecutionException e) {
            throw new AssertionError("only answers complete it", e);
        } catch (Exception e) {
            throw new IllegalStateException("The method progress of " + plugin.name() + " failed", e);
        }
    }

    /** Reports that the host has left, and closes the plugin. No effect if this is closed. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            exchange.hostLeft(HOST);
            exchange.close();
            arena.close();
        }
    }
}
