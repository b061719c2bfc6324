// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.time.Duration;

/**
 * How long the service waits for others.
 *
 * @param frame for the rest of a frame that has begun, and for a frame to be taken
 * @param ending for a last answer to be read before its connection is closed
 * @param probe for a plugin to be loaded and asked its version
 * @param start for a worker to be ready; longer than it takes on a busy machine
 * @param ticket for a worker to listen for a host of another machine
 * @param leave for a worker to leave before it is killed
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

    public Deadlines withFrame(Duration other) {
        return new Deadlines(other, ending, probe, start, ticket, leave);
    }

    public Deadlines withEnding(Duration other) {
        return new Deadlines(frame, other, probe, start, ticket, leave);
    }

    public Deadlines withProbe(Duration other) {
        return new Deadlines(frame, ending, other, start, ticket, leave);
    }

    public Deadlines withStart(Duration other) {
        return new Deadlines(frame, ending, probe, other, ticket, leave);
    }

    public Deadlines withTicket(Duration other) {
        return new Deadlines(frame, ending, probe, start, other, leave);
    }

    public Deadlines withLeave(Duration other) {
        return new Deadlines(frame, ending, probe, start, ticket, other);
    }
}
