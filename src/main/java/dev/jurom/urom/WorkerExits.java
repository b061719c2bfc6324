// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.jurom_urom_worker_end;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.internal.FutureView;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The exits of the processes of a worker context, one for each run. Not thread-safe: used by the
 * thread that owns the engine. Any thread may use the futures.
 */
final class WorkerExits {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final UromWorker worker;
    private CompletableFuture<WorkerExit> current = new CompletableFuture<>();
    private long id; // the id of the running worker
    private boolean stopped;
    private @Nullable WorkerExit unexplained; // set if the library does not report exits

    WorkerExits(UromWorker worker) {
        this.worker = worker;
    }

    CompletableFuture<WorkerExit> current() {
        return FutureView.of(current);
    }

    void changed(ContextState previous, ContextState next) {
        switch (next) {
            case STARTING -> {
                stopped = false;
                unexplained = null;
                current = current.isDone() ? new CompletableFuture<>() : current;
            }
            case RUNNING -> id = worker.id();
            case STOPPING -> stopped = isReported() && last().isEmpty();
            case IDLE -> hasEnded(previous);
        }
    }

    private void hasEnded(ContextState previous) {
        var exit = last();
        if (exit.isEmpty() && previous != ContextState.STARTING && !stopped) {
            unexplained = new WorkerExit(
                    id, new WorkerExit.Unknown(), Instant.now(), "worker " + WorkerId.toString(id) + " has exited");
            exit = Optional.of(unexplained);
        }
        exit.ifPresentOrElse(current::complete, () -> current.cancel(false));
    }

    /** Returns whether the library reports the process of a worker and how it ended. */
    static boolean isReported() {
        return DocaRuntime.current().kind() == RuntimeKind.SOFTWARE;
    }

    void closed() {
        current.cancel(false);
    }

    /** Returns the latest unexpected exit since the last start. */
    Optional<WorkerExit> last() {
        if (!isReported()) {
            return Optional.ofNullable(unexplained);
        }
        try (var arena = Arena.ofConfined()) {
            var end = jurom_urom_worker_end.allocate(arena);
            var status = doca_h.jurom_urom_worker_get_end(worker.handle(), end);
            if (status == DocaError.NOT_FOUND.code()) {
                return Optional.ofNullable(unexplained);
            }
            check(status, "jurom_urom_worker_get_end", worker);
            return Optional.of(exit(end));
        }
    }

    private WorkerExit exit(MemorySegment end) {
        var text = doca_h.jurom_urom_worker_get_loss(worker.handle())
                .reinterpret(Long.MAX_VALUE)
                .getString(0);
        var time = jurom_urom_worker_end.time_ns(end);
        return new WorkerExit(
                id,
                cause(end, text),
                Instant.ofEpochSecond(Math.floorDiv(time, NANOS_PER_SECOND), Math.floorMod(time, NANOS_PER_SECOND)),
                text);
    }

    private static WorkerExit.Cause cause(MemorySegment end, String text) {
        var kind = jurom_urom_worker_end.kind(end);
        var value = jurom_urom_worker_end.value(end);
        if (kind == doca_h.JUROM_UROM_WORKER_END_EXITED()) {
            return new WorkerExit.Exited(value);
        }
        if (kind == doca_h.JUROM_UROM_WORKER_END_SIGNALLED()) {
            return new WorkerExit.Signalled(value);
        }
        return kind == doca_h.JUROM_UROM_WORKER_END_UNRESPONSIVE()
                ? new WorkerExit.Unresponsive(text)
                : new WorkerExit.Unknown();
    }
}
