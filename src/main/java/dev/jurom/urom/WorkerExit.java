// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exit of a worker process that the host did not request. Instances are immutable. Stands for
 * {@code struct jurom_urom_worker_end}, which only the software DOCA has: with the library of the vendor
 * the cause is always {@link Unknown}.
 */
public final class WorkerExit {

    /** The cause of an exit. */
    public sealed interface Cause permits Exited, Signalled, Unresponsive, Unknown {}

    /**
     * The process exited.
     *
     * @param code the exit code, 0 to 128; a higher code is reported as a signal
     */
    public record Exited(int code) implements Cause {}

    /**
     * A signal terminated the process.
     *
     * @param number the signal number, at least 1: 9 is SIGKILL, 11 is SIGSEGV
     */
    public record Signalled(int number) implements Cause {}

    /**
     * The service terminated the process because it did not respond, for example because a command
     * kept it busy.
     *
     * @param text the duration, as in {@code worker 7 did not answer for 60 s}
     */
    public record Unresponsive(String text) implements Cause {
        /** Checks the components. */
        public Unresponsive {
            Objects.requireNonNull(text, "text");
        }
    }

    /**
     * The cause is unknown: the service is disconnected or did not report it, or the library is
     * that of the vendor.
     */
    public record Unknown() implements Cause {}

    private final long workerId;
    private final Cause cause;
    private final Instant time;
    private final String text;

    WorkerExit(long workerId, Cause cause, Instant time, String text) {
        this.workerId = workerId;
        this.cause = cause;
        this.time = time;
        this.text = text;
    }

    /**
     * Returns the worker's id.
     *
     * @return an unsigned number
     */
    public long workerId() {
        return workerId;
    }

    /**
     * Returns the cause of the exit.
     *
     * @return the cause
     */
    public Cause cause() {
        return cause;
    }

    /**
     * Returns the time at which this host detected the exit.
     *
     * @return a time
     */
    public Instant time() {
        return time;
    }

    /**
     * Returns a sentence without a full stop.
     *
     * @return for example {@code worker 7 was ended by signal 9 (SIGKILL)}
     */
    public String text() {
        return text;
    }

    private List<Object> values() {
        return List.of(workerId, cause, time, text);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkerExit that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    /**
     * Returns the sentence and the time.
     *
     * @return for example {@code worker 7 exited with code 3, at 2026-02-03T04:05:06.789Z}
     */
    @Override
    public String toString() {
        return text + ", at " + time;
    }
}
