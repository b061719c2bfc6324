// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a schedule into a fault table, and prints the events of a table, for {@code scripts/urom-daemon}. */
public final class ArmedTable {

    private ArmedTable() {}

    /**
     * Creates a table from a schedule ({@code arm SCHEDULE TABLE}), or prints the events of a table ({@code
     * report TABLE}). Exits the JVM with 1 if the schedule is invalid.
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("report")) {
            report(Path.of(arguments[1]));
        } else {
            arm(Path.of(arguments[1]), Path.of(arguments[2]));
        }
    }

    private static void arm(Path schedule, Path file) throws IOException {
        try (var table = FaultTable.create(file)) {
            FaultSchedule.parse(Files.readString(schedule)).forEach(fault -> table.arm(fault, 0));
        } catch (IllegalArgumentException e) {
            System.err.println("faults: " + e.getMessage());
            System.exit(1);
        }
    }

    /** Prints the events of a table. Combines successive events that differ only in their times. */
    private static void report(Path file) throws IOException {
        try (var table = FaultTable.open(file)) {
            System.err.println("faults: " + table.eventCount() + " injected");
            var events = table.events();
            for (var i = 0; i < events.size(); ) {
                var first = i;
                while (i < events.size() && text(events.get(i)).equals(text(events.get(first)))) {
                    i++;
                }
                System.err.printf(
                        "%10.3f ms  %s%s%n",
                        (events.get(first).nanoseconds() - events.getFirst().nanoseconds()) / 1e6,
                        text(events.get(first)),
                        i == first + 1 ? "" : ", " + (i - first) + " times");
            }
        }
    }

    private static String text(FaultEvent event) {
        return event.role() + " " + event.process() + "  "
                + FaultPoints.find(event.point()).orElseThrow() + " " + event.action();
    }
}
