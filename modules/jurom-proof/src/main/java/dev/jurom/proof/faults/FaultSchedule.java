// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The faults of a run, in a text form with one fault per line:
 * {@code role point action [argument...] [after N] [times N]}. {@code #} begins a comment.
 *
 * @param faults the faults, at most one per point
 */
public record FaultSchedule(List<Fault> faults) {

    static final String AFTER = "after";
    static final String TIMES = "times";
    static final String ALWAYS = "always";

    private static final int NEIGHBOURS = 4; // similar names shown for an unknown one

    /** Creates a schedule with at most one fault per point, since the table has one row for each. */
    public FaultSchedule {
        faults = List.copyOf(faults);
        var names =
                faults.stream().map(fault -> fault.point().name()).distinct().count();
        if (names < faults.size()) {
            throw new IllegalArgumentException("more than one fault for a point in " + faults);
        }
    }

    /**
     * Parses a schedule.
     *
     * @param points the known fault points
     * @throws IllegalArgumentException if the text is invalid; the message contains the line, the word and
     *     the valid alternatives
     */
    public static FaultSchedule parse(String text, FaultPoints points) {
        var faults = new ArrayList<Fault>();
        var lines = new HashMap<String, Integer>(); // by the names of the points
        var number = 0;
        for (var line : text.lines().toList()) {
            number++;
            var words = line.replaceFirst("#.*", "").strip();
            if (!words.isEmpty()) {
                var fault = new Line(number, List.of(words.split("\\s+")), points).fault();
                var earlier = lines.put(fault.point().name(), number);
                if (earlier != null) {
                    throw new IllegalArgumentException("line " + number + ", word '" + fault.point() + "': line "
                            + earlier + " already has a fault at this point");
                }
                faults.add(fault);
            }
        }
        return new FaultSchedule(faults);
    }

    /** Arms these faults in a table, in addition to its faults at other points. */
    public void arm(FaultTable table) {
        faults.forEach(table::arm);
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return faults.stream().map(fault -> fault + "\n").collect(Collectors.joining());
    }

    /** A parser of one line. */
    private static final class Line {

        private final int number;
        private final List<String> words;
        private final FaultPoints points;
        private int next;

        private Line(int number, List<String> words, FaultPoints points) {
            this.number = number;
            this.words = words;
            this.points = points;
        }

        private Fault fault() {
            var role = role(word("a role: "
                    + Stream.of(FaultRole.values()).map(FaultRole::word).collect(Collectors.joining(", "))));
            var point = point(word("the name of a point (see scripts/urom faults --list)"), role);
            var action = action(word("an action of " + point + ": " + point.actions()), point);
            var arguments = new ArrayList<Long>();
            for (var parameter : point.kind().parameters(action)) {
                arguments.add(argument(word(parameter.meaning()), parameter));
            }
            var counts = counts();
            return new Fault(
                    role, point, action, arguments, counts.getOrDefault(AFTER, 0L), counts.getOrDefault(TIMES, 1L));
        }

        private String word(String expected) {
            if (next == words.size()) {
                throw new IllegalArgumentException(
                        "line " + number + ": expected after '" + words.getLast() + "': " + expected);
            }
            return words.get(next++);
        }

        private IllegalArgumentException invalid(String reason) {
            return new IllegalArgumentException("line " + number + ", word '" + words.get(next - 1) + "': " + reason);
        }

        private FaultRole role(String word) {
            return Stream.of(FaultRole.values())
                    .filter(role -> role.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> invalid("expected a role: "
                            + Stream.of(FaultRole.values()).map(FaultRole::word).collect(Collectors.joining(", "))));
        }

        private FaultPoint point(String word, FaultRole role) {
            var point = points.find(word)
                    .orElseThrow(() -> invalid("no such point; similar names: " + neighbours(word)
                            + "; scripts/urom faults --list prints all"));
            if (!point.roles().contains(role)) {
                throw invalid("role " + role.word() + " does not reach this point; possible roles: "
                        + point.roles().stream().map(FaultRole::word).collect(Collectors.joining(", ")));
            }
            return point;
        }

        private String neighbours(String word) {
            return points.all().stream()
                    .map(FaultPoint::name)
                    .sorted(Comparator.comparingInt(name -> -common(name, word)))
                    .limit(NEIGHBOURS)
                    .collect(Collectors.joining(", "));
        }

        /** Returns the number of words that two names have in common. */
        private static int common(String name, String other) {
            var pieces = List.of(other.split("_"));
            return (int) Stream.of(name.split("_")).filter(pieces::contains).count();
        }

        private FaultAction action(String word, FaultPoint point) {
            return point.actions().stream()
                    .filter(action -> action.name().equals(word))
                    .findFirst()
                    .orElseThrow(() -> invalid("actions of " + point + ": " + point.actions()));
        }

        private long argument(String word, FaultParameter parameter) {
            return parameter
                    .value(word)
                    .orElseThrow(() -> invalid("expected " + parameter.meaning() + ", from "
                            + parameter.text(parameter.least()) + " to " + parameter.text(parameter.most())));
        }

        private Map<String, Long> counts() {
            var counts = new HashMap<String, Long>();
            while (next < words.size()) {
                var name = word("");
                if (!name.equals(AFTER) && !name.equals(TIMES) || counts.containsKey(name)) {
                    throw invalid(
                            "expected the end of the line, '" + AFTER + " N' or '" + TIMES + " N', each at most once");
                }
                counts.put(name, count(word("a number"), name.equals(TIMES)));
            }
            return counts;
        }

        private long count(String word, boolean isTimes) {
            if (isTimes && word.equals(ALWAYS)) {
                return Fault.FOR_EVER;
            }
            return number(word)
                    .filter(value -> value >= (isTimes ? 1 : 0))
                    .orElseThrow(() -> invalid(
                            isTimes
                                    ? "expected a number of at least 1, or '" + ALWAYS + "'"
                                    : "expected a number of at least 0"));
        }

        private static Optional<Long> number(String word) {
            try {
                return Optional.of(Long.parseLong(word));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }
}
