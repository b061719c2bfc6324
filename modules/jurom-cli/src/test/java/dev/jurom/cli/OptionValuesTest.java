// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ValueConverters;
import dev.jurom.runtime.LogLevel;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Tests the values of all options of all commands: accepted units, and the errors for other values. */
class OptionValuesTest {

    /** Values by the label of the option, and the value of the field. */
    private static final Map<String, Map<String, List<Object>>> ACCEPTED = Map.of(
            "BYTES", Map.of("64M", List.of(64 << 20, 64L << 20), "4KiB", List.of(4096, 4096L), "77", List.of(77, 77L)),
            "SECONDS",
                    Map.of(
                            "2h", List.of(7200L, Duration.ofHours(2)),
                            "5m", List.of(300L, Duration.ofMinutes(5)),
                            "3000ms", List.of(3L, Duration.ofSeconds(3)),
                            "30", List.of(30L, Duration.ofSeconds(30))),
            "LEVEL",
                    Map.of(
                            "info",
                            List.of(LogLevel.INFO),
                            "WARNING",
                            List.of(LogLevel.WARNING),
                            "60",
                            List.of(LogLevel.DEBUG)),
            "SIZE", Map.of("64M", List.of(64.0 * (1 << 20)), "256KiB", List.of(262144.0)),
            "TIME", Map.of("2h", List.of(7200.0), "3us", List.of(3e-6)),
            "SPEED", Map.of("25GB/s", List.of(25e9), "64M/s", List.of(64.0 * (1 << 20))));

    /** An option of a command, by the words of the command. */
    private record Case(Class<?> program, List<String> words, String option, String label, String type) {

        @Override
        public String toString() {
            return words + " " + option;
        }

        private CommandLine root() {
            return OptionValuesTest.program(program);
        }

        private CommandLine parse(String value) {
            var all = new ArrayList<>(words);
            all.add(option + "=" + value);
            var root = root();
            root.parseArgs(all.toArray(String[]::new));
            return of(root, words);
        }
    }

    private static CommandLine of(CommandLine root, List<String> words) {
        var command = root;
        for (var word : words) {
            command = command.getSubcommands().get(word);
        }
        return command;
    }

    /** Returns the command line of a program, without the option's required neighbours. */
    private static CommandLine program(Class<?> program) {
        try {
            Constructor<?> constructor = program.getDeclaredConstructor();
            constructor.setAccessible(true);
            return ValueConverters.register(new CommandLine(constructor.newInstance()));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<Case> cases() {
        return Stream.of(UromCommand.class, UromDaemonMain.class)
                .flatMap(program -> cases(program, program(program), List.of()));
    }

    private static Stream<Case> cases(Class<?> program, CommandLine command, List<String> words) {
        var own = command.getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .map(option -> new Case(
                        program,
                        words,
                        option.longestName(),
                        option.paramLabel(),
                        option.typeInfo().getClassName()));
        return Stream.concat(own, command.getSubcommands().entrySet().stream().flatMap(entry -> {
            var longer = new ArrayList<>(words);
            longer.add(entry.getKey());
            return cases(program, entry.getValue(), longer);
        }));
    }

    static Stream<Case> converted() {
        return cases().filter(it -> !it.type.startsWith("java.util.")
                && !List.of(String.class.getName(), Path.class.getName()).contains(it.type));
    }

    @ParameterizedTest
    @MethodSource("converted")
    void an_error_names_the_option_and_the_valid_form(Case option) {
        var error = assertThrows(ParameterException.class, () -> option.parse("64X"))
                .getMessage();

        assertTrue(error.contains("'" + option.option + "'"), error);
        assertTrue(error.contains("64X"), error);
        assertTrue(!error.matches("(?s).*is not an? (int|long|double|float|boolean|\\w+[a-z][A-Z]\\w+).*"), error);
        assertTrue(!error.contains("java."), error);
    }

    static Stream<Case> measured() {
        return cases().filter(it -> ACCEPTED.containsKey(it.label));
    }

    @ParameterizedTest
    @MethodSource("measured")
    void sizes_times_and_levels_take_units_and_names(Case option) {
        ACCEPTED.get(option.label).forEach((text, values) -> {
            var command = option.parse(text);
            OptionSpec spec = command.getCommandSpec().findOption(option.option);
            assertNotNull(spec, option::toString);
            Object value = spec.getValue();
            assertTrue(values.contains(value), () -> option + "=" + text + " is " + value);
        });
    }

    @Test
    void the_tables_cover_the_options_with_units() {
        var labels = measured().map(Case::label).distinct().sorted().toList();

        assertEquals(ACCEPTED.keySet().stream().sorted().toList(), labels);
    }
}
