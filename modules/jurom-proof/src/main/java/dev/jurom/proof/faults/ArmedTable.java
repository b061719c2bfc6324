// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A schedule in a file that becomes a table, and what has happened according to it. */
public final class ArmedTable {

    private ArmedTable() {}

    /**
     * Makes a table of a schedule ({@code arm SCHEDULE TABLE}), or prints what has happened
     * ({@code tell TABLE}). Ends the JVM with 1 if that is not possible.
     */
    public static void main(String[] arguments) {
        try {
            switch (arguments[0]) {
                case "arm" -> arm(Path.of(arguments[1]), Path.of(arguments[2]));
                case "tell" -> tell(Path.of(arguments[1]));
                default -> throw new IllegalArgumentException("arm or tell, not " + arguments[0]);
            }
        } catch (IOException e) {
            fail("the file cannot be used: " + e);
        } catch (IllegalArgumentException e) {
            fail(e.getMessage());
        }
    }

    private static void fail(String why) {
        System.err.println("faults: " + why);
        System.exit(1);
    }

    private static void arm(Path schedule, Path file) throws IOException {
        var parsed = FaultSchedule.parse(Files.readString(schedule), FaultPoints.read());
        try (var table = FaultTable.create(file)) {
            parsed.arm(table);
        }
    }

    private static void tell(Path file) throws IOException {
        try (var table = FaultTable.open(file)) {
            var points = FaultPoints.read();
            var events = table.events();
            System.err.println("faults: " + table.eventCount() + " happened");
            for (var first = 0; first < events.size(); ) {
                var count = alike(events.subList(first, events.size()));
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

    /** How many at the beginning are the same, but for their time. */
    private static int alike(List<FaultEvent> events) {
        return (int) events.stream()
                .takeWhile(event -> what(event).equals(what(events.getFirst())))
                .count();
    }

    private static List<Object> what(FaultEvent event) {
        return List.of(event.role(), event.process(), event.point(), event.action());
    }
}
