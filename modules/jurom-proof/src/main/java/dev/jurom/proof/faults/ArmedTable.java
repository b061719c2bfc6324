// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes a schedule into a fault table, and prints the events of a table. */
public final class ArmedTable {

    private ArmedTable() {}

    /**
     * Creates a table from a schedule ({@code arm SCHEDULE TABLE}), or prints the events of a table ({@code
     * report TABLE}). Exits the JVM with 1 if this fails.
     */
    public static void main(String[] arguments) {
        try {
            switch (arguments[0]) {
                case "arm" -> arm(Path.of(arguments[1]), Path.of(arguments[2]));
                case "report" -> report(Path.of(arguments[1]));
                default -> throw new IllegalArgumentException("expected arm or report, got " + arguments[0]);
            }
        } catch (IOException e) {
            fail("cannot use the file: " + e);
        } catch (IllegalArgumentException e) {
            fail(e.getMessage());
        }
    }

    private static void fail(String reason) {
        System.err.println("faults: " + reason);
        System.exit(1);
    }

    private static void arm(Path schedule, Path file) throws IOException {
        var parsed = FaultSchedule.parse(Files.readString(schedule), FaultPoints.read());
        try (var table = FaultTable.create(file)) {
            parsed.arm(table);
        }
    }

    private static void report(Path file) throws IOException {
        try (var table = FaultTable.open(file)) {
            var points = FaultPoints.read();
            var events = table.events();
            System.err.println("faults: " + table.eventCount() + " injected");
            for (var first = 0; first < events.size(); ) {
                var count = equalAtStart(events.subList(first, events.size()));
                var event = events.get(first);
                System.err.printf(
                        "%10.3f ms  %s %d  %s %s%s%n",
                        (event.nanoseconds() - events.getFirst().nanoseconds()) / 1e6,
                        event.role().word(),
                        event.process(),
                        points.find(event.point()).map(FaultPoint::name).orElse("?"),
                        event.action(),
                        count == 1 ? "" : ", " + count + " times");
                first += count;
            }
        }
    }

    /** Returns the number of events at the start of the list that differ in their time only. */
    private static int equalAtStart(List<FaultEvent> events) {
        return (int) events.stream()
                .takeWhile(event -> fields(event).equals(fields(events.getFirst())))
                .count();
    }

    private static List<Object> fields(FaultEvent event) {
        return List.of(event.role(), event.process(), event.point(), event.action());
    }
}
