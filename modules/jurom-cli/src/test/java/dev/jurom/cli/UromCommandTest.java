// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UromCommandTest {

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "4294967296", "many"})
    void a_number_of_commands_that_is_not_positive_is_rejected(String number) {
        var result = Programs.uromHere("ping", "--count=" + number);

        assertEquals(ExitCode.USAGE, result.exitCode(), result::error);
        assertTrue(result.error().contains("'" + number + "' is not a whole number from 1 to"), result::error);
    }

    @Test
    void a_missing_service_file_is_named_in_one_line() {
        var result = Programs.uromHere("ping", "--service", "no/such/file");

        assertEquals(ExitCode.FILE, result.exitCode(), result::error);
        assertTrue(result.error().contains("no/such/file"), result::error);
        assertFalse(result.error().contains("\tat "), result::error);
    }

    @Test
    void help_is_also_a_command() {
        var result = Programs.uromHere("help", "ping");

        assertEquals(ExitCode.DONE, result.exitCode(), result::error);
        assertEquals(Programs.uromHere("ping", "--help").output(), result.output());
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
        var result = Programs.uromHere(help.split(" "));

        assertEquals(ExitCode.DONE, result.exitCode(), result::error);
        assertEquals(Programs.uromHere(option.split(" ")).output(), result.output());
    }

    static Set<String> subcommands() {
        return UromCommand.commandLine().getSubcommands().keySet();
    }

    @ParameterizedTest
    @MethodSource("subcommands")
    void a_subcommand_is_the_same_with_and_without_the_other_ones(String name) {
        var alone = UromCommand.commandLine(name);
        var among = UromCommand.commandLine().getSubcommands().get(name);

        assertEquals(among.getUsageMessage(), alone.getSubcommands().get(name).getUsageMessage());
        assertEquals(
                among.getSubcommands().keySet(),
                alone.getSubcommands().get(name).getSubcommands().keySet());
        if (!Set.of("completion", "help").contains(name)) { // which use the others
            assertEquals(Set.of(name), alone.getSubcommands().keySet());
        }
    }

    @Test
    void help_rejects_a_command_that_does_not_exist() {
        var result = Programs.uromHere("help", "service", "nothing");

        assertEquals(ExitCode.USAGE, result.exitCode());
        assertEquals("urom: there is no command 'urom service nothing' (see urom service --help)\n", result.error());
    }
}
