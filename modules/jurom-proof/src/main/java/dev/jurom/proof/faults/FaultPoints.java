// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All fault points: those of the C code, and those woven into Java classes. */
public final class FaultPoints {

    /** The number of the first woven point. */
    public static final int FIRST_WOVEN = 160;

    private static final String DEFINITIONS = "points.def";
    private static final String WOVEN = "woven.txt";
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern DEFINITION =
            Pattern.compile("FAULT_POINT\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*,\\s*((?:" + STRING + "\\s*)+)\\)");
    private static final Pattern LINE =
            Pattern.compile("(\\w+) +(\\w+) +([\\w.$]+)#(\\w+) +(entry|exit|before [\\w.]+) +(\\S.*)");

    private final Map<String, FaultPoint> points = new LinkedHashMap<>();

    private FaultPoints(List<FaultPoint> points) {
        for (var point : points) {
            if (this.points.put(point.name(), point) != null) {
                throw new IllegalArgumentException("duplicate fault point " + point);
            }
        }
    }

    /** Returns the points of this build. */
    public static FaultPoints read() {
        return of(resource(DEFINITIONS), resource(WOVEN));
    }

    /** Returns the points of two lists. */
    static FaultPoints of(String definitions, String woven) {
        return new FaultPoints(Stream.concat(parseDefinitions(definitions).stream(), parseWoven(woven).stream())
                .toList());
    }

    /** Returns the points that are woven into classes of the daemon and of the facade. */
    public static List<FaultPoint> woven() {
        return parseWoven(resource(WOVEN));
    }

    private static String resource(String name) {
        try (var input = FaultPoints.class.getResourceAsStream(name)) {
            if (input == null) {
                throw new IllegalStateException("the resource " + name
                        + " with the list of fault points is missing beside the class " + FaultPoints.class.getName());
            }
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses a list in C syntax. The number of a point is its index. */
    static List<FaultPoint> parseDefinitions(String text) {
        var points = new ArrayList<FaultPoint>();
        var matcher = DEFINITION.matcher(withoutComments(text));
        while (matcher.find()) {
            points.add(new FaultPoint(
                    points.size(),
                    matcher.group(1),
                    kind(matcher.group(2)),
                    joined(matcher.group(3)),
                    Optional.empty()));
        }
        if (points.size() > FIRST_WOVEN) {
            throw new IllegalArgumentException(
                    DEFINITIONS + " has " + points.size() + " points; the maximum is " + FIRST_WOVEN);
        }
        return points;
    }

    private static String withoutComments(String text) {
        return COMMENT.matcher(text).replaceAll(" ");
    }

    /** Concatenates adjacent string literals, as a C compiler does. */
    private static String joined(String strings) {
        var text = new StringBuilder();
        STRING.matcher(strings).results().forEach(string -> text.append(string.group(1)));
        return text.toString().replace("\\\"", "\"");
    }

    /** Parses the list of woven points: one per line, {@code #} begins a comment. */
    static List<FaultPoint> parseWoven(String text) {
        var points = new ArrayList<FaultPoint>();
        for (var line : text.lines().map(String::strip).toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                points.add(parseLine(line, FIRST_WOVEN + points.size()));
            }
        }
        return points;
    }

    private static FaultPoint parseLine(String line, int number) {
        var matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("invalid line '" + line
                    + "': expected 'name KIND class#method entry|exit|before TYPE.METHOD description'");
        }
        return new FaultPoint(
                number,
                matcher.group(1),
                kind(matcher.group(2)),
                matcher.group(6),
                Optional.of(new WovenLocation(
                        matcher.group(3), matcher.group(4), WovenLocation.Position.parse(matcher.group(5)))));
    }

    private static FaultKind kind(String word) {
        try {
            return FaultKind.valueOf(word);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "unknown kind of fault point " + word + "; the kinds are " + List.of(FaultKind.values()), e);
        }
    }

    /** Returns all points in the order of their numbers. */
    public List<FaultPoint> all() {
        return List.copyOf(points.values());
    }

    /** Returns the point with a name. */
    public Optional<FaultPoint> find(String name) {
        return Optional.ofNullable(points.get(name));
    }

    /** Returns the point with a number. */
    public Optional<FaultPoint> find(int number) {
        return points.values().stream()
                .filter(point -> point.number() == number)
                .findFirst();
    }
}
