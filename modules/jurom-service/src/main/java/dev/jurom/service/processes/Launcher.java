// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.processes;

import dev.jurom.service.linux.ChildProgram;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.threads.Timers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The launcher of a service: {@code urom_worker --monitor}, which starts and ends all other processes for the service.
 * It starts with the first request and, if it has ended, again with the next one. The requests and events are those of
 * {@code monitor.h}. This class is thread-safe.
 */
public final class Launcher implements AutoCloseable {

    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration REAP_PAUSE = Duration.ofMillis(20);
    private static final long CLOSE_PAUSE_NANOS = 1_000_000;

    private static final int START = 1;
    private static final int PROBE = 2;
    private static final int SWEEP = 3;
    private static final int KILL = 4;
    private static final int HAS_LOG = 1;
    private static final int SHARES_LOG = 2;
    private static final int HAS_COUNTERS = 4;
    private static final int AS_NOBODY = 8;
    private static final int STARTED = 1;
    private static final int REFUSED = 3;
    private static final int ENDED = 4;
    private static final int REQUEST_HEADER = 24;
    private static final int EVENT_HEADER = 32;
    private static final int MAX_REQUEST = 131072;

    private final Path program;
    private final List<String> environment;
    private final Duration answerTimeout;
    private final Poller poller;
    private final Timers timers;
    private final ServiceLog log;
    private final AtomicLong requests = new AtomicLong();
    private final Map<Long, LaunchedProcess> processes = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ChildProgram current; // this and the next: guarded by lock
    private boolean closed;

    /**
     * Starts nothing yet.
     *
     * @param program the path of {@code urom_worker}, which the callers check before each request
     * @param variables variables of the launcher, in addition to its own
     * @param answerTimeout the maximum time until the launcher answers a request; it only forks, so after a longer time
     *        it is killed
     * @param poller exchanges messages with the launcher
     * @param timers runs deadlines
     * @param log receives a warning when the launcher has ended
     */
    public Launcher(
            Path program,
            Map<String, String> variables,
            Duration answerTimeout,
            Poller poller,
            Timers timers,
            ServiceLog log) {
        this.program = program;
        this.environment = Stream.concat(environment().entrySet().stream(), variables.entrySet().stream())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        this.answerTimeout = answerTimeout;
        this.poller = poller;
        this.timers = timers;
        this.log = log;
    }

    /** {@return the environment of the launcher, which is also the base of a probe's}; it cannot be modified. */
    public static Map<String, String> environment() {
        var language = System.getenv("LANG");
        return Map.of("PATH", PATH, "LANG", language == null ? "C.UTF-8" : language);
    }

    /**
     * Starts a worker, which reads LAUNCH and CONFIGURE from its standard input.
     *
     * @param plugins its plugins, as {@code SO_PATH:ID}
     * @param descriptors its descriptors
     * @param listener receives the events
     * @return the process, which may not have started yet
     * @throws IOException if the launcher cannot be started or does not accept the request
     */
    public LaunchedProcess startWorker(
            List<String> plugins, WorkerDescriptors descriptors, LaunchedProcess.Listener listener) throws IOException {
        var logs = descriptors.log().isPresent() ? HAS_LOG : descriptors.sharesLog() ? SHARES_LOG : 0;
        return request(START, logs | HAS_COUNTERS, 0, plugins, listener, descriptors.all());
    }

    /**
     * Runs {@code urom_worker --probe}.
     *
     * @param file the absolute path of a plugin
     * @param asNobody whether the process drops its privileges first
     * @param variables its environment
     * @param output its standard output and error
     * @param listener receives the events
     * @return the process, which may not have started yet
     * @throws IOException if the launcher cannot be started or does not accept the request
     */
    public LaunchedProcess probe(
            Path file, boolean asNobody, Map<String, String> variables, int output, LaunchedProcess.Listener listener)
            throws IOException {
        var strings = Stream.concat(
                        Stream.of(file.toString()),
                        variables.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()))
                .toList();
        return request(PROBE, asNobody ? AS_NOBODY : 0, 0, strings, listener, output);
    }

    /**
     * Runs {@code urom_worker --sweep}.
     *
     * @param userId the user whose files are removed
     * @param listener receives the events
     * @return the process, which may not have started yet
     * @throws IOException if the launcher cannot be started or does not accept the request
     */
    public LaunchedProcess sweep(int userId, LaunchedProcess.Listener listener) throws IOException {
        return request(SWEEP, 0, userId, List.of(), listener);
    }

    private LaunchedProcess request(
            int kind,
            int flags,
            int userId,
            List<String> strings,
            LaunchedProcess.Listener listener,
            int... descriptors)
            throws IOException {
        var id = requests.incrementAndGet();
        var message = encode(kind, flags, id, userId, strings);
        lock.lock();
        try {
            return send(id, message, listener, descriptors)
                    .or(() -> send(id, message, listener, descriptors)) // by another launcher
                    .orElseThrow(() -> new IOException("the launcher has ended"));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a request; empty if the launcher has ended or does not read its requests. Called with the lock. */
    private Optional<LaunchedProcess> send(
            long id, byte[] message, LaunchedProcess.Listener listener, int... descriptors) {
        var launcher = running();
        var process = new LaunchedProcess(
                this, launcher, id, listener, timers.after(answerTimeout, () -> checkAnswered(id, launcher)));
        processes.put(id, process);
        if (launcher.send(message, descriptors)) {
            return Optional.of(process);
        }
        processes.remove(id);
        launcher.destroy();
        current = null;
        return Optional.empty();
    }

    private static byte[] encode(int kind, int flags, long id, int userId, List<String> strings) throws IOException {
        var all = (strings.isEmpty() ? "" : String.join("\0", strings) + "\0").getBytes(StandardCharsets.UTF_8);
        if (all.length > MAX_REQUEST) {
            throw new IOException(
                    "its paths and variables have " + all.length + " bytes; the launcher accepts " + MAX_REQUEST);
        }
        return ByteBuffer.allocate(REQUEST_HEADER + all.length)
                .order(ByteOrder.nativeOrder())
                .putInt(kind)
                .putInt(flags)
                .putLong(id)
                .putInt(userId)
                .putInt(strings.size())
                .put(all)
                .array();
    }

    /** Returns the running launcher, or starts one. Called with the lock. */
    private ChildProgram running() {
        try {
            if (closed) {
                throw new IOException("the service is ending");
            }
            if (current == null) {
                current = new Connection().open();
            }
            return current;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void checkAnswered(long id, ChildProgram launcher) {
        if (processes.get(id) instanceof LaunchedProcess process && process.isUnanswered()) {
            log.warning("The launcher, process " + launcher.id() + ", has not answered within "
                    + answerTimeout.toMillis() + " ms and is killed");
            launcher.destroy();
        }
    }

    /** Kills a process, or its launcher if that does not read requests. */
    void kill(LaunchedProcess process) {
        try {
            if (!process.program().send(encode(KILL, 0, process.request(), 0, List.of()))) {
                process.program().destroy();
            }
        } catch (IOException e) {
            throw new AssertionError("the request has no strings", e);
        }
    }

    /** One instance of the launcher, whose events it handles on the thread of the poller. */
    private final class Connection implements ChildProgram.Reader {

        private volatile @Nullable ChildProgram child;

        ChildProgram open() throws IOException {
            var opened =
                    ChildProgram.start(program, List.of("--monitor", program.toString()), environment, poller, this);
            child = opened;
            return opened;
        }

        @Override
        public void received(byte[] message) {
            var event = ByteBuffer.wrap(message).order(ByteOrder.nativeOrder());
            if (message.length < EVENT_HEADER) {
                return;
            }
            var kind = event.getInt();
            var status = event.getInt();
            var id = event.getLong();
            var start = event.getLong();
            var processId = event.getInt();
            if (kind == STARTED && processes.get(id) instanceof LaunchedProcess process) {
                process.start(processId, start);
            } else if (kind == REFUSED && processes.remove(id) instanceof LaunchedProcess process) {
                var reason = new String(message, EVENT_HEADER, message.length - EVENT_HEADER, StandardCharsets.UTF_8);
                process.end(new ProcessEnd.NotStarted(reason));
            } else if (kind == ENDED && processes.remove(id) instanceof LaunchedProcess process) {
                process.end(new ProcessEnd.Exited(status));
            }
        }

        @Override
        public void ended() {
            var its = opened();
            its.destroy();
            reap(its);
            var killed = processes.values().stream()
                    .filter(process -> process.program() == its)
                    .toList();
            log.warning("The launcher, process " + its.id() + ", has ended, and its " + killed.size()
                    + " processes have been killed; the service starts another launcher for the next request");
            killed.forEach(Launcher.this::abandon);
        }

        /** Waits until {@link #open} has returned, which runs with the lock, and forgets the program. */
        private ChildProgram opened() {
            lock.lock();
            try {
                var its = Objects.requireNonNull(child);
                if (current == its) {
                    current = null;
                }
                return its;
            } finally {
                lock.unlock();
            }
        }
    }

    private void abandon(LaunchedProcess process) {
        processes.remove(process.request());
        process.end(new ProcessEnd.LauncherEnded());
    }

    private void reap(ChildProgram launcher) {
        timers.after(REAP_PAUSE, () -> {
            if (!launcher.hasExited()) {
                reap(launcher);
            }
        });
    }

    /**
     * Ends the launcher and its processes, and accepts no further requests. Blocks for at most 2 seconds. Not
     * interruptible: the interrupt status is preserved.
     */
    @Override
    public void close() {
        var last = end();
        if (last == null) {
            return;
        }
        last.close();
        var end = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        while (!last.hasExited() && System.nanoTime() < end) {
            LockSupport.parkNanos(CLOSE_PAUSE_NANOS);
        }
        last.destroy(); // no effect if it has exited
        last.hasExited();
        processes.values().forEach(this::abandon);
    }

    private @Nullable ChildProgram end() {
        lock.lock();
        try {
            var last = current;
            closed = true;
            current = null;
            return last;
        } finally {
            lock.unlock();
        }
    }
}
