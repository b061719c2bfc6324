// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.time.Instant;

/**
 * How the process of a worker ended that a host did not close. Stands for
 * {@code struct jurom_urom_worker_end}, which the software DOCA alone has: with the vendor's library
 * the cause is always {@link Unknown}.
 *
 * @param workerId the worker's id
 * @param cause how the process ended
 * @param time when this host learnt of it
 * @param text a sentence without a full stop: {@code worker 7 was ended by signal 9 (SIGKILL)}
 */
public record WorkerExit(long workerId, Cause cause, Instant time, String text) {

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

    /**
     * What happened, and when.
     *
     * @return as in {@code worker 7 exited with code 3, at 2026-02-03T04:05:06.789Z}
     */
    @Override
    public String toString() {
        return text + ", at " + time;
    }
}
