// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a worker process that a host did not close. Instances are immutable. Stands for
 * {@code struct jurom_urom_worker_end}, which only the software DOCA has: with the vendor's library the cause is always
 * {@link Unknown}.
 */
public final class WorkerExit {

    /** How a process ended. */
    public sealed interface Cause permits Exited, Signalled, Unresponsive, Unknown {}

    /**
     * It ended by itself.
     *
     * @param code its exit code, 0 to 128: a higher one looks like a signal
     */
    public record Exited(int code) implements Cause {}

    /**
     * A signal ended it.
     *
     * @param number of the signal, from 1: 9 is SIGKILL, 11 SIGSEGV
     */
    public record Signalled(int number) implements Cause {}

    /**
     * The service ended it because it did not answer, since a command kept it busy, for example.
     *
     * @param text for how long, as in {@code worker 7 did not answer for 60 s}
     */
    public record Unresponsive(String text) implements Cause {}

    /** Nobody can tell: the service is gone too or did not say, or the library is the vendor's. */
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
     * Returns how the process ended.
     *
     * @return the cause
     */
    public Cause cause() {
        return cause;
    }

    /**
     * Returns when this host learnt of the end.
     *
     * @return a time
     */
    public Instant time() {
        return time;
    }

    /**
     * Returns a sentence without a full stop.
     *
     * @return such as {@code worker 7 was ended by signal 9 (SIGKILL)}
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
     * @return as in {@code worker 7 exited with code 3, at 2026-02-03T04:05:06.789Z}
     */
    @Override
    public String toString() {
        return text + ", at " + time;
    }
}
