// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionCounters;
import dev.jurom.compress.CompressionError;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The compressions of this process, one for all codecs with the same settings: Spark creates codecs for each task.
 * They are closed when the process exits. Thread-safe.
 */
final class SharedCompressions {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.spark");
    private static final String SERVICE_FILE = "DOCA_UROM_SERVICE_FILE";
    private static final long WORKER_POLL_MILLIS = 20;
    private static final long SERVICE_POLL_MILLIS = 500;
    private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);
    private static final AtomicLong NEXT_WARNING = new AtomicLong(System.nanoTime());
    private static final Object LOCK = new Object(); // of a thread that opens a compression
    private static volatile Map<CodecSettings, Compression> all = Map.of();

    private SharedCompressions() {}

    /**
     * Returns a compression, which is opened if necessary. In the mode OFFLOAD, waits for a worker, because an
     * application fails after a few failures of a task, which would take less time than the start of a service.
     *
     * @throws CompressionException if there is no worker in time
     * @throws InterruptedIOException if the current thread is interrupted while waiting
     */
    static Compression get(CodecSettings settings) throws CompressionException, InterruptedIOException {
        var end = System.nanoTime() + settings.timeout().toNanos();
        while (true) {
            var millis = WORKER_POLL_MILLIS;
            try {
                var compression = open(settings);
                var late = System.nanoTime() - end > 0;
                if (settings.mode() != CompressionMode.OFFLOAD
                        || compression.counters().workers() > 0
                        || late) {
                    return compression; // its next block reports the reason for the missing worker
                }
            } catch (CompressionException e) {
                if (e.error() != CompressionError.NO_WORKER || System.nanoTime() - end > 0) {
                    throw e;
                }
                warn(e);
                millis = SERVICE_POLL_MILLIS;
            }
            pause(millis);
        }
    }

    /**
     * Opens a compression when an application starts. If no worker runs in the mode OFFLOAD, tasks wait for one.
     *
     * @throws IllegalArgumentException if the service rejects the size of blocks
     */
    static void start(CodecSettings settings) {
        try {
            open(settings);
        } catch (CompressionException e) {
            if (e.error() != CompressionError.NO_WORKER) {
                throw new IllegalArgumentException(CodecSettings.BLOCK_SIZE + ": " + e.getMessage(), e);
            }
            warn(e);
        }
    }

    /** Logs at most once in an interval that tasks wait. */
    private static void warn(CompressionException reason) {
        var due = NEXT_WARNING.get();
        var now = System.nanoTime();
        if (now - due >= 0 && NEXT_WARNING.compareAndSet(due, now + WARNING_INTERVAL.toNanos())) {
            LOGGER.log(Level.WARNING, "Tasks wait for a compression worker: " + reason.getMessage());
        }
    }

    private static void pause(long millis) throws InterruptedIOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a compression worker");
        }
    }

    private static Compression open(CodecSettings settings) throws CompressionException {
        var compression = all.get(settings);
        if (compression != null) {
            return compression;
        }
        synchronized (LOCK) {
            compression = all.get(settings);
            if (compression == null) {
                compression = Compression.open(configuration(settings));
                if (all.isEmpty()) {
                    ProcessReport.printAtExit();
                }
                var more = new HashMap<>(all);
                more.put(settings, compression);
                all = more;
            }
            return compression;
        }
    }

    /** Returns the configuration of a process: an executor does not start a service of its own. */
    private static CompressionConfiguration configuration(CodecSettings settings) {
        if (!settings.executor() || settings.mode() == CompressionMode.LOCAL || System.getenv(SERVICE_FILE) != null) {
            return settings.configuration();
        }
        var problem = SERVICE_FILE + " is not set in this executor: set spark.executorEnv." + SERVICE_FILE
                + " to the service file of the executor's machine";
        if (settings.mode() == CompressionMode.OFFLOAD) {
            throw new IllegalStateException(problem);
        }
        LOGGER.log(Level.WARNING, problem + ". All blocks are compressed in this process.");
        return settings.withMode(CompressionMode.LOCAL).configuration();
    }

    /** Returns whether a mode that uses workers has none at present. */
    static boolean isWithoutWorkers() {
        return all.entrySet().stream()
                .anyMatch(open -> open.getKey().mode() != CompressionMode.LOCAL
                        && open.getValue().counters().workers() == 0);
    }

    /** Returns the sums of the counters. */
    static CompressionCounters counters() {
        return all.entrySet().stream()
                .map(open -> counters(open.getKey(), open.getValue()))
                .reduce(
                        new CompressionCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                        (a, b) -> new CompressionCounters(
                                a.offloadedBlocks() + b.offloadedBlocks(),
                                a.offloadedBytes() + b.offloadedBytes(),
                                a.localBlocks() + b.localBlocks(),
                                a.localBytes() + b.localBytes(),
                                a.placedBlocks() + b.placedBlocks(),
                                a.fallbacks() + b.fallbacks(),
                                a.failures() + b.failures(),
                                a.blocksInFlight() + b.blocksInFlight(),
                                a.offloadedNanos() + b.offloadedNanos(),
                                a.localNanos() + b.localNanos(),
                                a.workersStarted() + b.workersStarted(),
                                a.workers() + b.workers()));
    }

    /** Returns the counters of a compression. In an executor without a service, all blocks are fallbacks. */
    private static CompressionCounters counters(CodecSettings settings, Compression compression) {
        var of = compression.counters();
        var isMissing = settings.mode() != compression.configuration().mode();
        return new CompressionCounters(
                of.offloadedBlocks(),
                of.offloadedBytes(),
                of.localBlocks(),
                of.localBytes(),
                of.placedBlocks(),
                isMissing ? of.localBlocks() : of.fallbacks(),
                of.failures(),
                of.blocksInFlight(),
                of.offloadedNanos(),
                of.localNanos(),
                of.workersStarted(),
                of.workers());
    }
}
