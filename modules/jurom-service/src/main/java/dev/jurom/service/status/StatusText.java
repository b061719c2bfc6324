// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The format of a {@link ServiceStatus} file: a line for each value, with its name and then URL-encoded words,
 * so that no path or name can be mistaken for several; the last line is {@code end}.
 *
 * <p>The first line has the version of the format. Releases of the same version read each other's status: a reader
 * ignores lines and trailing words that it does not know, and has a default for each line that may be missing, which all
 * but that of the process may. An incompatible change increments the version.
 */
final class StatusText {

    private static final String FIRST = "jurom-status 1";
    private static final String PROCESS = "process";
    private static final String LAST = "end";
    private static final String NONE = "-";
    private static final String UNKNOWN = "unknown";

    private final Map<String, List<String[]>> lines = new HashMap<>();

    private StatusText(String text) {
        var all = text.lines().toList();
        if (all.size() < 2 || !all.getFirst().equals(FIRST) || !all.getLast().equals(LAST)) {
            throw new IllegalArgumentException("it does not go from \"" + FIRST + "\" to \"" + LAST + "\"");
        }
        for (var line : all.subList(1, all.size() - 1)) {
            var words = line.split(" ", -1);
            lines.computeIfAbsent(words[0], name -> new ArrayList<>()).add(words);
        }
    }

    /** Returns the text of a status. */
    static String of(ServiceStatus status) {
        var text = new StringBuilder(FIRST).append('\n');
        line(text, PROCESS, status.process(), status.started().toEpochMilli());
        line(text, "release", status.release());
        line(text, "java", status.javaVersion());
        line(text, "reloads", status.reloads());
        line(text, "reloads-started", status.reloadsStarted());
        line(text, "reloads-completed", status.reloadsCompleted());
        status.addresses().forEach(address -> line(text, "address", address));
        line(text, "serves-all", status.servesAll());
        line(text, "max-message-size", status.maxMessageSize());
        line(text, "cpus", status.cpus());
        status.logDirectory().ifPresent(logs -> line(text, "logs", logs));
        status.authorizedHosts().ifPresent(hosts -> line(text, "hosts", hosts));
        status.problems().forEach(problem -> line(text, "problem", problem));
        status.plugins()
                .forEach(it -> line(
                        text,
                        "plugin",
                        Long.toUnsignedString(it.id()),
                        Long.toUnsignedString(it.version()),
                        it.name(),
                        it.file()));
        status.workers()
                .forEach(it -> line(
                        text,
                        "worker",
                        Long.toUnsignedString(it.id()),
                        it.process(),
                        Integer.toUnsignedString(it.userId()),
                        it.group().isPresent()
                                ? Integer.toUnsignedString(it.group().getAsInt())
                                : NONE,
                        Long.toUnsignedString(it.plugins()),
                        it.references(),
                        it.started().toEpochMilli(),
                        it.ready()));
        status.workers().stream()
                .filter(it -> it.process() != 0)
                .forEach(it -> line(text, "start", it.process(), it.processStart()));
        status.remoteSessions()
                .forEach(it -> line(
                        text,
                        "remote",
                        it.id(),
                        Integer.toUnsignedString(it.userId()),
                        it.fingerprint(),
                        it.address(),
                        it.started().toEpochMilli(),
                        it.references()));
        return text.append(LAST).append('\n').toString();
    }

    private static void line(StringBuilder text, String name, Object... words) {
        text.append(name);
        for (var word : words) {
            text.append(' ').append(URLEncoder.encode(word.toString(), StandardCharsets.UTF_8));
        }
        text.append('\n');
    }

    /** Returns whether a text, which may be of another version, has the status of a process. */
    static boolean isOf(long process, String text) {
        return text.lines().anyMatch(line -> line.startsWith(PROCESS + " " + process + " "));
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if it is malformed; the message names the reason
     */
    static ServiceStatus parse(Path directory, String text) {
        var it = new StatusText(text);
        var process = it.one(PROCESS, 2);
        var starts = it.all("start", 2).stream()
                .collect(Collectors.toMap(
                        words -> Long.parseLong(words[1]), words -> Long.parseLong(words[2]), (first, same) -> first));
        return ServiceStatus.builder(directory, Long.parseLong(process[1]))
                .started(time(process[2]))
                .release(it.word("release", UNKNOWN))
                .javaVersion(it.word("java", UNKNOWN))
                .reloads(Boolean.parseBoolean(it.word("reloads", "")))
                .reloadsStarted(Integer.parseInt(it.word("reloads-started", "0")))
                .reloadsCompleted(Integer.parseInt(it.word("reloads-completed", "0")))
                .addresses(it.all("address", 1).stream().map(words -> words[1]).toList())
                .servesAll(Boolean.parseBoolean(it.word("serves-all", "")))
                .maxMessageSize(Integer.parseInt(it.word("max-message-size", "0")))
                .cpus(it.word("cpus", ""))
                .logDirectory(it.all("logs", 1).stream().findFirst().map(words -> Path.of(words[1])))
                .authorizedHosts(it.all("hosts", 1).stream()
                        .mapToInt(words -> Integer.parseInt(words[1]))
                        .findFirst())
                .problems(it.all("problem", 1).stream().map(words -> words[1]).toList())
                .plugins(it.all("plugin", 4).stream().map(StatusText::plugin).toList())
                .workers(it.all("worker", 8).stream()
                        .map(words -> worker(words, starts))
                        .toList())
                .remoteSessions(
                        it.all("remote", 6).stream().map(StatusText::remote).toList())
                .build();
    }

    private static OfferedPlugin plugin(String[] words) {
        return new OfferedPlugin(
                Long.parseUnsignedLong(words[1]), Long.parseUnsignedLong(words[2]), words[3], Path.of(words[4]));
    }

    private static RunningWorker worker(String[] words, Map<Long, Long> starts) {
        var process = Long.parseLong(words[2]);
        return new RunningWorker(
                Long.parseUnsignedLong(words[1]),
                process,
                starts.getOrDefault(process, 0L),
                Integer.parseUnsignedInt(words[3]),
                Optional.of(words[4])
                        .filter(group -> !group.equals(NONE))
                        .map(group -> OptionalInt.of(Integer.parseUnsignedInt(group)))
                        .orElse(OptionalInt.empty()),
                Long.parseUnsignedLong(words[5]),
                Integer.parseInt(words[6]),
                time(words[7]),
                Boolean.parseBoolean(words[8]));
    }

    private static RemoteSession remote(String[] words) {
        return new RemoteSession(
                Long.parseLong(words[1]),
                Integer.parseUnsignedInt(words[2]),
                words[3],
                words[4],
                time(words[5]),
                Integer.parseInt(words[6]));
    }

    private static Instant time(String word) {
        return Instant.ofEpochMilli(Long.parseLong(word));
    }

    private String word(String name, String ifMissing) {
        return lines.containsKey(name) ? one(name, 1)[1] : ifMissing;
    }

    private String[] one(String name, int words) {
        var found = all(name, words);
        if (found.size() != 1) {
            throw new IllegalArgumentException("it has " + found.size() + " lines \"" + name + "\" and must have one");
        }
        return found.getFirst();
    }

    /** Returns the decoded lines of a name: each has the name and then at least the given number of words. */
    private List<String[]> all(String name, int words) {
        return lines.getOrDefault(name, List.of()).stream()
                .map(line -> {
                    if (line.length < words + 1) {
                        throw new IllegalArgumentException("a line \"" + name + "\" has " + (line.length - 1)
                                + " words and must have at least " + words);
                    }
                    var decoded = new String[line.length];
                    for (var i = 0; i < line.length; i++) {
                        decoded[i] = URLDecoder.decode(line[i], StandardCharsets.UTF_8);
                    }
                    return decoded;
                })
                .toList();
    }
}
