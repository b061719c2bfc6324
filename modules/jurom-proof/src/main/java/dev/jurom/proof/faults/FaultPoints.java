// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All fault points, which are in the C code or are woven into Java classes. */
public final class FaultPoints {

    /** The number of the first woven point. */
    public static final int FIRST_WOVEN = 160;

    private static final Pattern IN_C =
            Pattern.compile("FAULT_POINT\\((?<name>\\w+), (?<kind>[A-Z]+), \"(?<description>.*)\"\\)");
    private static final Pattern IN_JAVA = Pattern.compile("(?<name>\\w+) +(?<kind>[A-Z]+) +(?<class>[\\w.$]+)"
            + "#(?<method>\\w+) +(?<position>entry|exit|before [\\w.]+) +(?<description>\\S.*)");

    private static final List<FaultPoint> WOVEN = parseWoven(resource("woven.txt"));
    private static final List<FaultPoint> ALL = Stream.concat(
                    parseNative(resource("points.def")).stream(), WOVEN.stream())
            .toList();

    private FaultPoints() {}

    private static String resource(String name) {
        try (var input = FaultPoints.class.getResourceAsStream(name)) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses the list of the C code, one point per line. The number of a point is its index. */
    static List<FaultPoint> parseNative(String text) {
        var lines = text.lines().filter(line -> line.startsWith("FAULT_POINT"));
        return parse(lines, IN_C, 0, line -> Optional.empty());
    }

    /** Parses the list of woven points, one point per line. {@code #} begins a comment. */
    static List<FaultPoint> parseWoven(String text) {
        var lines = text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#"));
        return parse(
                lines,
                IN_JAVA,
                FIRST_WOVEN,
                line -> Optional.of(
                        new FaultPoint.Location(line.group("class"), line.group("method"), line.group("position"))));
    }

    private static List<FaultPoint> parse(
            Stream<String> lines,
            Pattern pattern,
            int first,
            Function<MatchResult, Optional<FaultPoint.Location>> location) {
        var points = new ArrayList<FaultPoint>();
        for (var line : lines.toList()) {
            var parts = pattern.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException("invalid line '" + line + "': expected " + pattern);
            }
            points.add(new FaultPoint(
                    first + points.size(),
                    parts.group("name"),
                    FaultKind.valueOf(parts.group("kind")),
                    parts.group("description"),
                    location.apply(parts)));
        }
        return points;
    }

    /** Returns the points that are woven into classes of the daemon and of the facade. */
    public static List<FaultPoint> woven() {
        return WOVEN;
    }

    /** Returns all points in the order of their numbers. */
    public static List<FaultPoint> all() {
        return ALL;
    }

    /** Returns the point with a name. */
    public static Optional<FaultPoint> find(String name) {
        return ALL.stream().filter(point -> point.name().equals(name)).findFirst();
    }

    /** Returns the point with a number. */
    public static Optional<FaultPoint> find(int number) {
        return ALL.stream().filter(point -> point.number() == number).findFirst();
    }
}
