// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.runtime.LogLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests the limits on lines that peers cause. */
class LineLimiterTest {

    private static final Pattern MORE = Pattern.compile("(\\d+) more from");

    @Property(tries = 200)
    void each_line_is_written_or_counted(
            @ForAll @Size(max = 2000) List<@IntRange(max = 9) Integer> causes,
            @ForAll @Size(max = 2000) List<@IntRange(max = 12) Integer> sources) {
        var limiter = new LineLimiter();
        var written = new HashMap<List<Object>, Integer>();
        var ofCause = new HashMap<PeerCause, Integer>();
        var all = Math.min(causes.size(), sources.size());
        for (var i = 0; i < all; i++) {
            var cause = PeerCause.values()[causes.get(i)];
            var source = "192.0.2." + sources.get(i);
            if (limiter.admits(cause, source, LogLevel.INFO)) {
                written.merge(List.of(cause, source), 1, Integer::sum);
                ofCause.merge(cause, 1, Integer::sum);
            }
        }

        written.forEach((key, count) -> assertTrue(count <= ((PeerCause) key.getFirst()).ofSource(), key::toString));
        ofCause.forEach((cause, count) -> assertTrue(count <= cause.ofAll(), cause::toString));
        assertEquals(all, ofCause.values().stream().mapToInt(Integer::intValue).sum() + dropped(limiter.next()));
        assertEquals(List.of(), limiter.next());
    }

    private static int dropped(List<LineLimiter.Summary> summaries) {
        return summaries.stream()
                .flatMap(summary -> MORE.matcher(summary.text()).results())
                .mapToInt(result -> Integer.parseInt(result.group(1)))
                .sum();
    }

    @Test
    void a_source_leaves_lines_to_others() {
        var limiter = new LineLimiter();
        for (var i = 0; i < 622; i++) {
            limiter.admits(PeerCause.CONNECTION, "192.0.2.7", LogLevel.INFO);
        }

        assertTrue(limiter.admits(PeerCause.CONNECTION, "192.0.2.8", LogLevel.INFO));
        var summary = limiter.next().getFirst();
        assertTrue(summary.text().endsWith(": 612 more from 192.0.2.7"), summary.text());
    }

    @Test
    void sources_without_number_take_bounded_memory_and_one_line() {
        var limiter = new LineLimiter();
        var written = new ArrayList<Integer>();
        IntStream.range(0, 100_000)
                .filter(i -> limiter.admits(PeerCause.UNIDENTIFIED, "2001:db8:0:" + i + "::/64", LogLevel.INFO))
                .forEach(written::add);

        assertEquals(PeerCause.UNIDENTIFIED.ofAll(), written.size());
        var summaries = limiter.next();
        assertEquals(1, summaries.size());
        assertTrue(
                summaries.getFirst().text().length() < 300, summaries.getFirst().text());
        assertEquals(100_000 - written.size(), dropped(summaries));
    }

    @Test
    void a_summary_has_the_level_of_the_most_severe_line() {
        var limiter = new LineLimiter();
        for (var level : List.of(LogLevel.INFO, LogLevel.INFO, LogLevel.ERROR, LogLevel.WARNING)) {
            limiter.admits(PeerCause.SEARCH, "all hosts", level);
        }

        assertEquals(LogLevel.ERROR, limiter.next().getFirst().level());
    }
}
