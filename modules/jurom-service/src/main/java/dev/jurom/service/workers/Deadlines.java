// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.time.Duration;

/**
 * The maximum times that the service waits.
 *
 * @param frame until a frame that has begun is complete, or until a peer has received a frame
 * @param ending until a last answer is read and the connection is closed
 * @param probe until a plugin is loaded and its version determined
 * @param start until a worker is ready; longer than the start of one on a busy machine
 * @param ticket until a worker listens for a host of another machine
 * @param leave until a worker exits before it is killed
 */
public record Deadlines(
        Duration frame, Duration ending, Duration probe, Duration start, Duration ticket, Duration leave) {

    public static final Deadlines DEFAULT = new Deadlines(
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            Duration.ofSeconds(3));

    /**
     * {@return a copy with another time for a frame}
     *
     * @param other the time
     */
    public Deadlines withFrame(Duration other) {
        return new Deadlines(other, ending, probe, start, ticket, leave);
    }

    /**
     * {@return a copy with another time for the end of a connection}
     *
     * @param other the time
     */
    public Deadlines withEnding(Duration other) {
        return new Deadlines(frame, other, probe, start, ticket, leave);
    }

    /**
     * {@return a copy with another time for the probe of a plugin}
     *
     * @param other the time
     */
    public Deadlines withProbe(Duration other) {
        return new Deadlines(frame, ending, other, start, ticket, leave);
    }

    /**
     * {@return a copy with another time for the start of a worker}
     *
     * @param other the time
     */
    public Deadlines withStart(Duration other) {
        return new Deadlines(frame, ending, probe, other, ticket, leave);
    }

    /**
     * {@return a copy with another time until a worker listens for a host of another machine}
     *
     * @param other the time
     */
    public Deadlines withTicket(Duration other) {
        return new Deadlines(frame, ending, probe, start, other, leave);
    }

    /**
     * {@return a copy with another time for the exit of a worker}
     *
     * @param other the time
     */
    public Deadlines withLeave(Duration other) {
        return new Deadlines(frame, ending, probe, start, ticket, other);
    }
}
