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
 * What shall happen in a run, as people write it: a line a fault,
 * {@code role point action [argument...] [after N] [times N]}. {@code #} begins a remark.
 *
 * @param faults of different points
 */
public record FaultSchedule(List<Fault> faults) {

    static final String AFTER = "after";
    static final String TIMES = "times";
    static final String ALWAYS = "always";

    private static final int NEIGHBOURS = 4; // names that are shown to one that is unknown

    /** A schedule with one fault a point at most: the table has room for no more. */
    public FaultSchedule {
        faults = List.copyOf(faults);
        var names =
                faults.stream().map(fault -> fault.point().name()).distinct().count();
        if (names < faults.size()) {
            throw new IllegalArgumentException("a point has two faults in " + faults);
        }
    }

    /**
     * Reads a schedule.
     *
     * @param points those that it may name
     * @throws IllegalArgumentException with a sentence that names the line and the word, and says
     *         what is possible there
     */
    public static FaultSchedule parse(String text, FaultPoints points) {
        var faults = new ArrayList<Fault>();
        var lines = new HashMap<String, Integer>(); // where the fault of a point is
        var number = 0;
        for (var line : text.lines().toList()) {
            number++;
            var words = line.replaceFirst("#.*", "").strip();
            if (!words.isEmpty()) {
                var fault = new Line(number, List.of(words.split("\\s+")), points).fault();
                var earlier = lines.put(fault.point().name(), number);
                if (earlier != null) {
                    throw new IllegalArgumentException("line " + number + ", word '"
                            + fault.point() + "': line " + earlier + " has a fault of this point"
                            + " already, and a point has room for one");
                }
                faults.add(fault);
            }
        }
        return new FaultSchedule(faults);
    }

    /** From now on this happens, and what a table had for other points too. */
    public void arm(FaultTable table) {
        faults.forEach(table::arm);
    }

    /** The text of which this is read. */
    @Override
    public String toString() {
        return faults.stream().map(fault -> fault + "\n").collect(Collectors.joining());
    }

    /** One line, read word by word. */
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
            var point = point(word("the name of a point: scripts/urom faults --list prints them"), role);
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
                        "line " + number + ": after '" + words.getLast() + "' comes " + expected);
            }
            return words.get(next++);
        }

        private IllegalArgumentException wrong(String why) {
            return new IllegalArgumentException("line " + number + ", word '" + words.get(next - 1) + "': " + why);
        }

        private FaultRole role(String word) {
            return Stream.of(FaultRole.values())
                    .filter(role -> role.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> wrong("a line begins with a role: "
                            + Stream.of(FaultRole.values()).map(FaultRole::word).collect(Collectors.joining(", "))));
        }

        private FaultPoint point(String word, FaultRole role) {
            var point = points.find(word)
                    .orElseThrow(() -> wrong("there is no such point; like it" + " are " + neighbours(word)
                            + ", and scripts/urom faults --list prints all"));
            if (!point.roles().contains(role)) {
                throw wrong("no " + role.word() + " reaches this point, but "
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

        /** How many pieces two names have in common. */
        private static int common(String name, String other) {
            var pieces = List.of(other.split("_"));
            return (int) Stream.of(name.split("_")).filter(pieces::contains).count();
        }

        private FaultAction action(String word, FaultPoint point) {
            return point.actions().stream()
                    .filter(action -> action.name().equals(word))
                    .findFirst()
                    .orElseThrow(() -> wrong("at " + point + " is possible: " + point.actions()));
        }

        private long argument(String word, FaultParameter parameter) {
            return parameter
                    .value(word)
                    .orElseThrow(() -> wrong("expected is "
                            + parameter.meaning() + ", from " + parameter.text(parameter.least()) + " to "
                            + parameter.text(parameter.most())));
        }

        private Map<String, Long> counts() {
            var counts = new HashMap<String, Long>();
            while (next < words.size()) {
                var name = word("");
                if (!name.equals(AFTER) && !name.equals(TIMES) || counts.containsKey(name)) {
                    throw wrong("here ends the line, or comes '" + AFTER + " N' or '" + TIMES + " N', each once");
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
                    .orElseThrow(() -> wrong(
                            isTimes
                                    ? "expected is a number from 1 on, or '" + ALWAYS + "'"
                                    : "expected is a number from 0 on"));
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
