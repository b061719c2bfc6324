// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the faults of a run from text, with one fault per line. {@code #} begins a comment. */
public final class FaultSchedule {

    static final String ALWAYS = "always";

    private static final Pattern LINE = Pattern.compile(
            "(\\S+)\\s+(\\S+)\\s+(\\S+)(.*?)(\\s+after\\s+(?<after>\\d{1,18}))?(\\s+times\\s+(?<times>[1-9]\\d{0,17}|always))?");

    private FaultSchedule() {}

    /**
     * Parses a schedule.
     *
     * @return the faults; at most one per point, since the table has one row per point
     * @throws IllegalArgumentException if the text is invalid; the message contains the line, the word and
     *     the valid alternatives
     */
    public static List<Fault> parse(String text) {
        var faults = new ArrayList<Fault>();
        var points = new HashSet<FaultPoint>();
        var number = 0;
        for (var line : text.lines().toList()) {
            number++;
            var words = line.replaceFirst("#.*", "").strip();
            if (!words.isEmpty()) {
                try {
                    faults.add(fault(words));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
                if (!points.add(faults.getLast().point())) {
                    throw new IllegalArgumentException(
                            "line " + number + ": an earlier line has a fault at this point");
                }
            }
        }
        return faults;
    }

    private static Fault fault(String line) {
        var parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException("expected role, point, action, [argument...] [after N] [times N]");
        }
        var point = FaultPoints.find(parts.group(2))
                .orElseThrow(() -> new IllegalArgumentException(
                        "no such point '" + parts.group(2) + "'; scripts/urom faults --list prints all"));
        var role = choose(parts.group(1), "role at " + point, point.roles());
        var action = choose(parts.group(3), "action at " + point, point.actions());
        return new Fault(
                role,
                point,
                action,
                arguments(parts.group(4).strip(), point.kind().parameters(action)),
                Optional.ofNullable(parts.group("after")).map(Long::valueOf).orElse(0L),
                Optional.ofNullable(parts.group("times"))
                        .map(times -> times.equals(ALWAYS) ? Fault.UNLIMITED : Long.parseLong(times))
                        .orElse(1L));
    }

    private static <T> T choose(String word, String kind, Collection<T> alternatives) {
        return alternatives.stream()
                .filter(alternative -> alternative.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no such " + kind + " '" + word + "'; expected one of " + alternatives));
    }

    private static List<Long> arguments(String text, List<FaultParameter> parameters) {
        var words = text.isEmpty() ? List.<String>of() : List.of(text.split("\\s+"));
        if (words.size() != parameters.size()) {
            throw new IllegalArgumentException(
                    "invalid arguments '" + text + "'; expected " + parameters + ", then [after N] [times N]");
        }
        var arguments = new ArrayList<Long>();
        for (var i = 0; i < words.size(); i++) {
            var word = words.get(i);
            var parameter = parameters.get(i);
            arguments.add(parameter
                    .parse(word)
                    .orElseThrow(() ->
                            new IllegalArgumentException("invalid argument '" + word + "'; expected " + parameter)));
        }
        return arguments;
    }
}
