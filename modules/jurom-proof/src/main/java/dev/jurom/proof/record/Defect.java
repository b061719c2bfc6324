// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A defect that was found and mended: a patch in {@code src/test/faults} that brings it back. Its
 * first lines say what is known of it, one {@code key: value} each, up to an empty one.
 *
 * @param name of the file, without its ending
 * @param what was wrong
 * @param found when, or by what
 * @param shows how
 * @param language of the sources that it changes
 * @param foundBy the tests that find it
 * @param patch the file
 */
record Defect(String name, String what, String found, String shows, Language language, String foundBy, Path patch) {

    /** What has to be built anew. */
    enum Language {
        C,
        JAVA
    }

    private static final String ENDING = ".patch";

    /** All that are on record, by name. */
    static List<Defect> all(Path root) throws IOException {
        try (var files = Files.list(root.resolve("src/test/faults"))) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .map(Defect::read)
                    .toList();
        }
    }

    private static Defect read(Path patch) {
        try {
            var head = Files.readString(patch)
                    .split("\n\n", 2)[0]
                    .lines()
                    .map(line -> line.split(": ", 2))
                    .filter(line -> line.length == 2)
                    .collect(Collectors.toMap(line -> line[0], line -> line[1]));
            var name = patch.getFileName().toString();
            for (var key : List.of("defect", "found", "shows", "build", "found by")) {
                if (!head.containsKey(key)) {
                    throw new CommandFailure(
                            ExitCode.FILE, patch + " does not say \"" + key + ": ...\" before its first empty line");
                }
            }
            return new Defect(
                    name.substring(0, name.length() - ENDING.length()),
                    head.get("defect"),
                    head.get("found"),
                    head.get("shows"),
                    language(patch, head.get("build")),
                    head.get("found by"),
                    patch);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FILE, patch + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Language language(Path patch, String word) {
        return Arrays.stream(Language.values())
                .filter(it -> it.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FILE, patch + " has \"build: " + word + "\", and that may be C or Java"));
    }
}
