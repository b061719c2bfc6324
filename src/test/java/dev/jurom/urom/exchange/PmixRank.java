// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import static dev.jurom.urom.exchange.Participants.DEADLINE;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A rank of a launched job: exchanges blocks as specified by the property {@code rank.does} and prints the
 * result in one line.
 */
public final class PmixRank {

    private static final String DOES = "rank.does";

    private PmixRank() {}

    /** Returns the flag that selects the action of a rank. */
    static String doing(String what) {
        return "-D" + DOES + "=" + what;
    }

    /** Runs one rank. */
    public static void main(String[] arguments) throws InterruptedException {
        var what = System.getProperty(DOES);
        var patience = what.equals("lose-patience") ? Duration.ofMillis(300) : DEADLINE;
        try (var exchange = PmixExchange.open(patience)) {
            var rank = exchange.index();
            System.out.println("rank " + rank + " of " + exchange.participants() + ": " + outcome(exchange, what));
            if (what.equals("lose-patience")) {
                leave();
            }
        }
    }

    /** Exits without finalizing PMIx, which may wait for a cancelled all-gather. */
    private static void leave() {
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }

    private static void awaitTheEnd() {
        var deadline = System.nanoTime() + DEADLINE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(deadline - System.nanoTime());
        }
    }

    private static String outcome(PmixExchange exchange, String what) throws InterruptedException {
        var rank = exchange.index();
        try {
            return switch (what) {
                case "exchange" -> Participants.rounds(exchange, List.of(1, 1000, 0, 100_000)) + " rounds right";
                case "differ" -> {
                    exchange.allGather(new byte[10 + rank], DEADLINE);
                    yield "no failure";
                }
                case "lose-patience" -> {
                    if (rank == 0) {
                        exchange.allGather(new byte[1], DEADLINE);
                    }
                    awaitTheEnd(); // the launcher terminates this rank after the first one has exited
                    yield "no failure";
                }
                default -> throw new IllegalArgumentException(what);
            };
        } catch (ExchangeException e) {
            return e.error() + " " + e.getMessage();
        }
    }
}
