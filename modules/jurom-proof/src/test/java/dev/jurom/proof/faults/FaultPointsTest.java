// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the lists of fault points are read. */
class FaultPointsTest {

    @Test
    void the_list_of_the_c_side_is_read_as_a_compiler_reads_it() {
        var points = FaultPoints.parseDefinitions("""
                /* FAULT_POINT(name, KIND, "what") */
                // FAULT_POINT(other, STATE, "no")
                FAULT_POINT(accept_call, CALL, "a \\"peer\\" (any) is accepted")
                FAULT_POINT(session_hello_sent,
                    CONNECTION, "the first frame"
                    " of a session is sent")
                FAULT_POINT(host_asks, STATE, "a host asks")
                FAULT_POINT(worker_answers, STATE, "a worker answers")
                """);

        assertEquals(
                List.of(
                        new FaultPoint(
                                0, "accept_call", FaultKind.CALL, "a \"peer\" (any) is accepted", Optional.empty()),
                        new FaultPoint(
                                1,
                                "session_hello_sent",
                                FaultKind.CONNECTION,
                                "the first frame of a session is sent",
                                Optional.empty())),
                points.subList(0, 2));
        assertEquals(
                List.of(
                        Set.of(FaultRole.HOST, FaultRole.WORKER),
                        Set.of(FaultRole.HOST, FaultRole.WORKER),
                        Set.of(FaultRole.HOST),
                        Set.of(FaultRole.WORKER)),
                points.stream().map(FaultPoint::roles).toList());
    }

    @Test
    void the_daemons_points_follow_from_160_on() {
        var points = FaultPoints.parseWoven("""
                # a remark

                log_write  TRANSFER dev.jurom.service.logs.LogFile#write entry  a line is logged
                """);

        assertEquals(
                List.of(new FaultPoint(
                        160,
                        "log_write",
                        FaultKind.TRANSFER,
                        "a line is logged",
                        Optional.of(
                                new WovenPlace("dev.jurom.service.logs.LogFile", "write", new WovenPlace.Entry())))),
                points);
        assertEquals(Set.of(FaultRole.DAEMON), points.getFirst().roles());
    }

    @Test
    void a_line_that_is_no_point_is_named() {
        for (var line : List.of("one two", "a CALL b.C#d never  what", "a COLD b.C#d exit  what")) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> FaultPoints.parseWoven(line));
            assertTrue(thrown.getMessage().contains(line.contains("COLD") ? "COLD" : line), thrown.getMessage());
        }
    }

    @Test
    void there_are_points_of_the_daemon() {
        assertTrue(FaultPoints.woven().size() > 0);
    }
}
