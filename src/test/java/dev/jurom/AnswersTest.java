// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.service.EmbeddedService;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each answer reaches its call and no future or slot is lost, with several kinds of disturbances. */
class AnswersTest {

    private static final String NOTHING_LOST =
            "wrong 0, unexpected 0, lost futures 0, lost slots 0, stuck threads 0\nclosed\n";

    /** Ten minutes in all with {@code jurom.long}. */
    private static final int RUNS = Boolean.getBoolean("jurom.long") ? 20 : 1;
    /** Two periods of starvation, or more with {@code jurom.long}. */
    private static final int SECONDS = Boolean.getBoolean("jurom.long") ? 15 : 7;

    @Test
    void virtual_threads_that_cannot_run_receive_their_own_answers() {
        run("-Djdk.virtualThreadScheduler.parallelism=2", "-Danswers.starves=true", "-Danswers.seconds=8");
    }

    @Test
    void a_slot_belongs_to_a_thread_that_packs_for_long_below_a_cut_stack_trace() {
        run(
                "-XX:MaxJavaStackTraceDepth=8",
                "-Danswers.platform=8",
                "-Danswers.virtual=0",
                "-Danswers.slow=2",
                "-Danswers.seconds=5");
    }

    @ParameterizedTest
    @CsvSource({"16,8,starves", "24,0,fills"
    }) // the JDK loses a virtual thread that begins a timed sleep in a full heap
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // with -Djurom.long=true
    void callers_of_all_kinds_receive_their_own_answers_and_lose_nothing(
            int platform, int virtual, String disturbance) {
        var kinds = Arrays.stream(AnswersProgram.Kind.values())
                .filter(kind -> kind != AnswersProgram.Kind.SLOW)
                .map(Enum::name)
                .collect(Collectors.joining(","));
        for (var seed = 1; seed <= RUNS; seed++) {
            run(
                    "-Xmx64m",
                    "-Djdk.virtualThreadScheduler.parallelism=2",
                    "-Danswers.kinds=" + kinds,
                    "-Danswers.platform=" + platform,
                    "-Danswers.virtual=" + virtual,
                    "-Danswers." + disturbance + "=true",
                    "-Danswers.kills=true",
                    "-Danswers.interrupts=true",
                    "-Danswers.seed=" + seed,
                    "-Danswers.seconds=" + SECONDS);
        }
    }

    @Test
    void futures_complete_once_the_heap_has_memory_again() {
        try (var service = EmbeddedService.open()) {
            var result =
                    ForkedJvm.run(FullHeapProgram.class, "-Xmx32m", "-Djurom.long=" + Boolean.getBoolean("jurom.long"));

            assertTrue(result.output().endsWith("lost futures 0\n"), result::output);
        }
    }

    private static void run(String... flags) {
        try (var service = EmbeddedService.open()) {
            var result = ForkedJvm.run(AnswersProgram.class, flags);

            assertTrue(result.output().endsWith(NOTHING_LOST), result::output);
            assertEquals(0, result.exitCode());
        }
    }
}
