// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of parsing schedules. */
class FaultScheduleTest {

    private static final FaultPoints POINTS = FaultPoints.of("""
            FAULT_POINT(frame_sent, CONNECTION, "a")
            FAULT_POINT(frame_send, TRANSFER, "b")
            FAULT_POINT(frame_header, HEADER, "c")
            FAULT_POINT(clock, CLOCK, "d")
            FAULT_POINT(plugin_answer, ANSWER, "e")
            FAULT_POINT(command_memory, ALLOCATION, "f")
            FAULT_POINT(worker_accept, CALL, "g")
            FAULT_POINT(state_ready, STATE, "h")
            """, "daemon_log TRANSFER a.B#c entry i\n");

    @TempDir
    private Path folder;

    @Test
    void a_line_is_a_fault() {
        var schedule = FaultSchedule.parse("""
                # a full disk

                worker frame_send FAIL ENOSPC after 3 times always  # for good
                host frame_sent DELAY 250ms
                daemon daemon_log\tSHORT 3 times 2 after 1
                host clock JUMP -90s
                worker frame_header CORRUPT 4 0x80
                worker command_memory FAIL
                """, POINTS);

        assertEquals(
                List.of(
                        "worker frame_send FAIL [28] 3 -1",
                        "host frame_sent DELAY [250000000] 0 1",
                        "daemon daemon_log SHORT [3] 1 2",
                        "host clock JUMP [-90000000000] 0 1",
                        "worker frame_header CORRUPT [4, 128] 0 1",
                        "worker command_memory FAIL [] 0 1"),
                schedule.faults().stream().map(FaultScheduleTest::parts).toList());
    }

    private static String parts(Fault fault) {
        return fault.role().word() + " " + fault.point() + " " + fault.action() + " " + fault.arguments() + " "
                + fault.after() + " " + fault.times();
    }

    private static void assertRejected(String text, String... words) {
        var message = assertThrows(IllegalArgumentException.class, () -> FaultSchedule.parse(text, POINTS))
                .getMessage();
        List.of(words).forEach(word -> assertTrue(message.contains(word), message));
    }

    @Test
    void an_error_names_the_line_the_word_and_the_alternatives() {
        assertRejected("\n\nhots clock JUMP 1s", "line 3", "'hots'", "host, worker, daemon");
        assertRejected("host", "line 1", "after 'host'", "point");
        assertRejected("host frame_sned KILL", "line 1", "'frame_sned'", "frame_send", "--list");
        assertRejected("daemon clock JUMP 1s", "'clock'", "host, worker");
        assertRejected("host daemon_log KILL", "'daemon_log'", "daemon");
        assertRejected("host clock KILL", "'KILL'", "[JUMP]");
        assertRejected("daemon daemon_log SEGV", "'SEGV'", "FAIL", "SHORT");
        assertRejected("host frame_sent DELAY", "after 'DELAY'", "250ms");
        assertRejected("host frame_sent DELAY 5", "'5'", "250ms", "600s");
        assertRejected("host frame_sent DELAY -5s", "'-5s'");
        assertRejected("host frame_send FAIL EOOPS", "'EOOPS'", "ENOSPC");
        assertRejected("host frame_header CORRUPT 4 256", "'256'", "0x01", "0xff");
        assertRejected("host frame_sent KILL 3", "'3'", "after N", "times N");
        assertRejected("host frame_sent KILL after", "after 'after'", "number");
        assertRejected("host frame_sent KILL after x", "'x'", "at least 0");
        assertRejected("host frame_sent KILL times 0", "'0'", "at least 1", "always");
        assertRejected("host frame_sent KILL times 1 times 2", "'times'", "each at most once");
        assertRejected("host clock JUMP 1s\nworker clock JUMP 2s", "line 2", "'clock'", "line 1");
    }

    @Test
    void a_schedule_arms_a_table() throws Exception {
        var schedule = FaultSchedule.parse("host clock JUMP 1s\nworker frame_sent DROP", POINTS);
        try (var table = FaultTable.create(folder.resolve("table"))) {
            schedule.arm(table);

            schedule.faults().forEach(fault -> assertTrue(table.isArmed(fault.point())));
            assertFalse(table.isArmed(POINTS.find("state_ready").orElseThrow()));
        }
    }

    @Property
    void a_formatted_schedule_is_parsed_to_an_equal_one(@ForAll("schedules") FaultSchedule schedule) {
        assertEquals(schedule, FaultSchedule.parse(schedule.toString(), POINTS));
    }

    @Provide
    Arbitrary<FaultSchedule> schedules() {
        return Arbitraries.of(POINTS.all())
                .set()
                .ofMaxSize(POINTS.all().size())
                .flatMap(points -> Combinators.combine(
                                points.stream().map(FaultScheduleTest::faults).toList())
                        .as(FaultSchedule::new));
    }

    private static Arbitrary<Fault> faults(FaultPoint point) {
        return Combinators.combine(
                        Arbitraries.of(point.roles()),
                        Arbitraries.of(point.actions()),
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.frequencyOf(
                                Tuple.of(1, Arbitraries.just(Fault.FOR_EVER)),
                                Tuple.of(3, Arbitraries.longs().greaterOrEqual(1))))
                .flatAs((role, action, after, times) -> arguments(point, action)
                        .map(arguments -> new Fault(role, point, action, arguments, after, times)));
    }

    private static Arbitrary<List<Long>> arguments(FaultPoint point, FaultAction action) {
        var each = new ArrayList<Arbitrary<Long>>();
        point.kind()
                .parameters(action)
                .forEach(parameter -> each.add(Arbitraries.longs().between(parameter.least(), parameter.most())));
        return Combinators.combine(each).as(List::copyOf);
    }
}
