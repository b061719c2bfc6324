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
 * A fixed defect, kept as a patch in {@code src/test/faults} that reintroduces it. The first lines of the
 * patch, up to an empty line, describe the defect as {@code key: value}.
 *
 * @param name the name of the file without its extension
 * @param what the defect
 * @param found when or how the defect was found
 * @param shows the symptom
 * @param language the language of the changed sources
 * @param foundBy the tests that find the defect
 * @param patch the patch file
 */
record Defect(String name, String what, String found, String shows, Language language, String foundBy, Path patch) {

    /** The sources that must be rebuilt. */
    enum Language {
        C,
        JAVA
    }

    private static final String ENDING = ".patch";

    /** Returns all recorded defects in the order of their names. */
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
                            ExitCode.FILE, patch + " lacks a line \"" + key + ": ...\" before the first empty line");
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
            throw new CommandFailure(ExitCode.FILE, "cannot read " + patch + ": " + e.getMessage(), e);
        }
    }

    private static Language language(Path patch, String word) {
        return Arrays.stream(Language.values())
                .filter(it -> it.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FILE, patch + " contains \"build: " + word + "\"; expected C or Java"));
    }
}
