// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelCommandTest {

    /** Options that replace all measured figures. */
    private static final List<String> FIGURES =
            List.of("--speed=100MiB/s", "--ratio=4", "--host-time=250us", "--worker-time=0us", "--added-latency=100us");

    @Test
    void the_estimates_follow_from_the_options() {
        var words = new ArrayList<>(List.of("model", "compression", "--core-speed=0.5", "--block-size=1MiB"));
        words.addAll(List.of("--link-latency=3us", "--link-bandwidth=25GB/s"));
        words.addAll(FIGURES);
        var result = Programs.uromHere(words.toArray(String[]::new));

        assertEquals("""
                in process       100 MiB/s
                one worker       50 MiB/s (0.50)
                workers needed   2 for the throughput in process
                latency          20158 us (in process 10000 us)
                application CPU  250 us of 10000 us per block: 98 % saved
                """, result.output());
        assertEquals(ExitCode.DONE, result.exitCode());
    }

    @Test
    void the_documented_figures_are_the_defaults() {
        var result = Programs.uromHere("model", "compression", "--json");

        assertEquals(ExitCode.DONE, result.exitCode(), result::output);
        assertTrue(result.output().matches("\\{\"in_process_bytes_per_second\": [\\d.E]+, .*}\n"), result::output);
    }

    @Test
    void json_has_numbers() {
        var words = new ArrayList<>(List.of("model", "compression", "--json", "--core-speed=0.5", "--block-size=1MiB"));
        words.addAll(List.of("--link-latency=3us", "--link-bandwidth=1MiB/s"));
        words.addAll(FIGURES);
        var result = Programs.uromHere(words.toArray(String[]::new));

        assertTrue(
                result.output()
                        .matches("\\{\"in_process_bytes_per_second\": NUMBER, \"one_worker_bytes_per_second\": NUMBER,"
                                        .replace("NUMBER", "[0-9.E-]+")
                                + (" \"workers_needed\": null, \"limit_bytes_per_second\": NUMBER,"
                                                + " \"in_process_latency_seconds\": NUMBER,"
                                                + " \"worker_latency_seconds\": NUMBER, \"application_cpu_seconds\": NUMBER,"
                                                + " \"application_cpu_saved\": NUMBER}\n")
                                        .replace("NUMBER", "[0-9.E-]+")),
                result::output);
    }

    @ParameterizedTest
    @CsvSource({
        "--link-latency=3, 's'",
        "--link-bandwidth=25Gbit, GB/s",
        "--block-size=-1KiB, KiB",
        "--core-speed=0, must be positive",
        "--level=2, Level 2 was not measured"
    })
    void a_wrong_option_is_rejected(String option, String reason) {
        var result = Programs.uromHere("model", "compression", option);

        assertEquals(ExitCode.USAGE, result.exitCode(), result::error);
        assertTrue(result.error().contains(reason), result::error);
    }
}
