// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UromCommandTest {

    @Test
    void the_demo_reports_every_worker_both_groups_and_the_total() {
        var result = Programs.urom("demo", "--workers", "3", "--commands", "50");

        assertEquals(0, result.exitCode(), result::output);
        assertEquals(3, lines(result, "worker +id \\d+, process \\d+, CPUs [\\d,-]+: 50" + " commands.*"));
        assertEquals(1, lines(result, "group 0 +\\d+ \\d+"));
        assertEquals(1, lines(result, "group 1 +\\d+"));
        assertEquals(1, lines(result, "total +150 commands .*"));
    }

    @Test
    void sixty_four_idle_workers_use_hardly_any_cpu_and_little_memory() {
        var result = Programs.urom("footprint", "--workers", "64", "--seconds", "3");

        // Other load on the machine affects the times of spawns and wake-ups, so this test does not
        // limit them. A worker that does not sleep would use much of a core.
        assertEquals(1, lines(result, "workers +64 on .*"), result::output);
        assertEquals(1, lines(result, "spawn +p50 [\\d.]+ ms.*"), result::output);
        assertEquals(1, lines(result, "memory +[\\d.]+ MiB .* \\(at most 1.5 MiB\\)"), result::output);
        assertEquals(1, lines(result, "idle CPU +[0-4]\\.\\d+ % .*"), result::output);
    }

    @Test
    void reports_are_json_on_request() {
        var demo = Programs.uromFrom(Map.of(), "demo", "--workers", "1", "--commands", "50", "--json");
        var footprint = Programs.uromFrom(Map.of(), "footprint", "--workers", "2", "--seconds", "1", "--json");

        assertTrue(
                demo.output()
                        .matches("\\[\\{\"worker\": \"\\d+\", .*\"commands\": 50,"
                                + " \"p50_ns\": \\d+, \"p99_ns\": \\d+}]\n"),
                demo::output);
        assertTrue(footprint.output().matches("\\{\"workers\": 2, \"spawn_p50_ms\": .*}\n"), footprint::output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "4294967296", "many"})
    void a_number_of_workers_that_is_not_positive_is_rejected(String number) {
        var result = Programs.urom("demo", "--workers=" + number);

        assertEquals(2, result.exitCode(), result::output);
        assertTrue(result.output().contains("'" + number + "' is not a whole number from 1 to"), result::output);
    }

    @Test
    void a_missing_service_file_is_named_in_one_line() {
        var result = Programs.urom("demo", "--service", "no/such/file");

        assertEquals(ExitCode.FILE, result.exitCode(), result::output);
        assertTrue(result.output().contains("no/such/file"), result::output);
        assertFalse(result.output().contains("\tat "), result::output);
    }

    @Test
    void help_is_also_a_command() {
        var result = Programs.urom("help", "ping");

        assertEquals(0, result.exitCode(), result::output);
        assertEquals(Programs.urom("ping", "--help").output(), result.output());
    }

    @ParameterizedTest
    @CsvSource({
        "help service status, service status --help",
        "service help, service --help",
        "service help file check, service file check --help",
        "key help create, key create --help",
        "help, --help"
    })
    void help_describes_commands_of_each_level(String help, String option) {
        var result = Programs.urom(help.split(" "));

        assertEquals(0, result.exitCode(), result::output);
        assertEquals(Programs.urom(option.split(" ")).output(), result.output());
    }

    @Test
    void help_rejects_a_command_that_does_not_exist() {
        var result = Programs.urom("help", "service", "nothing");

        assertEquals(ExitCode.USAGE, result.exitCode());
        assertEquals("urom: there is no command 'urom service nothing' (see urom service --help)\n", result.output());
    }

    private static long lines(Command.Result result, String pattern) {
        var line = Pattern.compile(pattern).asMatchPredicate();
        return result.output().lines().filter(line).count();
    }
}
