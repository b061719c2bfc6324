// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of parsing the lists of fault points. */
class FaultPointsTest {

    @Test
    void the_number_of_a_point_in_c_is_its_position() {
        var points = FaultPoints.parseNative("""
                /* FAULT_POINT(name, KIND, "what") */
                FAULT_POINT(accept_call, CALL, "a (peer), any, is accepted")
                FAULT_POINT(worker_answers, STATE, "a worker answers")
                """);

        assertEquals(
                List.of(
                        new FaultPoint(
                                0, "accept_call", FaultKind.CALL, "a (peer), any, is accepted", Optional.empty()),
                        new FaultPoint(1, "worker_answers", FaultKind.STATE, "a worker answers", Optional.empty())),
                points);
        assertEquals(
                List.of(Set.of(FaultRole.HOST, FaultRole.WORKER), Set.of(FaultRole.WORKER)),
                points.stream().map(FaultPoint::roles).toList());
    }

    @Test
    void the_numbers_of_woven_points_start_at_160() {
        var points = FaultPoints.parseWoven("""
                # a comment

                daemon_write  TRANSFER dev.jurom.service.logs.LogFile#write entry  a line is logged
                """);

        assertEquals(
                List.of(new FaultPoint(
                        160,
                        "daemon_write",
                        FaultKind.TRANSFER,
                        "a line is logged",
                        Optional.of(new FaultPoint.Location("dev.jurom.service.logs.LogFile", "write", "entry")))),
                points);
        assertEquals(Set.of(FaultRole.DAEMON), points.getFirst().roles());
    }

    @Test
    void the_lists_of_the_build_have_distinct_numbers_and_names() {
        var points = FaultPoints.all();
        assertTrue(points.size() > FaultPoints.woven().size());
        for (var point : points) {
            assertEquals(Optional.of(point), FaultPoints.find(point.name()));
            assertEquals(Optional.of(point), FaultPoints.find(point.number()));
        }
    }

    @Test
    void an_invalid_line_is_rejected() {
        for (var line : List.of("one two", "a CALL b.C#d never  what", "a COLD b.C#d exit  what")) {
            assertThrows(IllegalArgumentException.class, () -> FaultPoints.parseWoven(line), line);
        }
        assertThrows(IllegalArgumentException.class, () -> FaultPoints.parseNative("FAULT_POINT(a, CALL,\n\"b\")"));
    }
}
