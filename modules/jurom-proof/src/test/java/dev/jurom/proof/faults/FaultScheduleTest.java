// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of parsing schedules of faults. */
class FaultScheduleTest {

    @Test
    void a_line_is_a_fault() {
        var faults = FaultSchedule.parse("""
                # a full disk

                worker stream_send FAIL ENOSPC after 3 times always  # permanently
                host frame_memory FAIL
                daemon daemon_log_write\tSHORT 3 after 1 times 2
                host host_hello_sent DELAY 250ms
                host clock JUMP -90s
                worker frame_header CORRUPT 4 0x80
                """);

        assertEquals(
                List.of(
                        "worker stream_send FAIL [28] 3 -1",
                        "host frame_memory FAIL [] 0 1",
                        "daemon daemon_log_write SHORT [3] 1 2",
                        "host host_hello_sent DELAY [250000000] 0 1",
                        "host clock JUMP [-90000000000] 0 1",
                        "worker frame_header CORRUPT [4, 128] 0 1"),
                faults.stream().map(FaultScheduleTest::parts).toList());
        for (var fault : faults) {
            assertEquals(List.of(fault), FaultSchedule.parse(fault.toString()));
        }
    }

    private static String parts(Fault fault) {
        return fault.role() + " " + fault.point() + " " + fault.action() + " " + fault.arguments() + " " + fault.after()
                + " " + fault.times();
    }

    private static void assertRejected(String text, String... words) {
        var message = assertThrows(IllegalArgumentException.class, () -> FaultSchedule.parse(text))
                .getMessage();
        List.of(words).forEach(word -> assertTrue(message.contains(word), message));
    }

    @Test
    void an_error_names_the_line_the_word_and_the_alternatives() {
        assertRejected("\n\nhots clock JUMP 1s", "line 3", "'hots'", "host, worker");
        assertRejected("host", "line 1", "role, point, action");
        assertRejected("host frame_sned KILL", "line 1", "'frame_sned'", "--list");
        assertRejected("daemon clock JUMP 1s", "clock", "host, worker");
        assertRejected("host clock KILL", "'KILL'", "[JUMP]");
        assertRejected("daemon daemon_log_write SEGV", "'SEGV'", "FAIL", "SHORT");
        assertRejected("host host_hello_sent DELAY", "''", "250ms");
        assertRejected("host host_hello_sent DELAY 5", "'5'", "250ms", "600s");
        assertRejected("host host_hello_sent DELAY -5s", "'-5s'");
        assertRejected("host host_hello_sent DELAY 9999999999999s", "600s");
        assertRejected("host stream_send FAIL EOOPS", "'EOOPS'", "ENOSPC");
        assertRejected("host frame_header CORRUPT 4 256", "'256'", "0x01", "0xff");
        assertRejected("host host_hello_sent KILL 3", "'3'", "after N", "times N");
        assertRejected("host host_hello_sent KILL times 0", "times N");
        assertRejected("host clock JUMP 1s\nworker clock JUMP 2s", "line 2", "earlier");
    }
}
