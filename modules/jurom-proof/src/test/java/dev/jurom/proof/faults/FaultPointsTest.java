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
    void the_list_of_the_c_code_is_parsed_as_a_compiler_does() {
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
    void the_numbers_of_woven_points_start_at_160() {
        var points = FaultPoints.parseWoven("""
                # a comment

                log_write  TRANSFER dev.jurom.service.logs.LogFile#write entry  a line is logged
                """);

        assertEquals(
                List.of(new FaultPoint(
                        160,
                        "log_write",
                        FaultKind.TRANSFER,
                        "a line is logged",
                        Optional.of(new WovenLocation(
                                "dev.jurom.service.logs.LogFile", "write", new WovenLocation.Entry())))),
                points);
        assertEquals(Set.of(FaultRole.DAEMON), points.getFirst().roles());
    }

    @Test
    void an_invalid_line_is_reported() {
        for (var line : List.of("one two", "a CALL b.C#d never  what", "a COLD b.C#d exit  what")) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> FaultPoints.parseWoven(line));
            assertTrue(thrown.getMessage().contains(line.contains("COLD") ? "COLD" : line), thrown.getMessage());
        }
    }

    @Test
    void the_daemon_has_points() {
        assertTrue(FaultPoints.woven().size() > 0);
    }
}
