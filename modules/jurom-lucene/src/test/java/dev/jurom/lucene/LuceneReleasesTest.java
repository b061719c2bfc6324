// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests each release of Lucene that the codec supports, in a separate JVM. */
class LuceneReleasesTest {

    private static final Path JARS = Command.ROOT.resolve("modules/jurom-lucene/target/lucene");
    private static final Path FIRST_FORMAT =
            Command.ROOT.resolve("modules/jurom-lucene/src/test/resources/index-without-delegate");
    private static final String CORE = "lucene-core-";
    private static final String BACKWARD_CODECS = "lucene-backward-codecs-";

    @TempDir
    Path folder;

    /** Returns the releases that the build has copied, oldest first. */
    private static List<String> releases() throws IOException {
        try (var files = Files.list(JARS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(CORE))
                    .map(name -> Version.parse(name.substring(CORE.length(), name.length() - ".jar".length())))
                    .sorted()
                    .map(Version::toString)
                    .toList();
        }
    }

    private static Command.Result execute(String release, boolean backwardCodecs, List<String> commands) {
        var own = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("lucene-"));
        var lucene = Stream.of(CORE, BACKWARD_CODECS)
                .filter(name -> backwardCodecs || name.equals(CORE))
                .map(name -> JARS.resolve(name + release + ".jar").toString());
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of(System.getProperty("jurom.jvm").split(" ")));
        words.add("--enable-native-access=ALL-UNNAMED");
        words.add("-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file"));
        words.addAll(List.of("-cp", Stream.concat(own, lucene).collect(Collectors.joining(File.pathSeparator))));
        words.add(ReleaseProgram.class.getName());
        words.addAll(commands);
        return Command.execute(words);
    }

    private static String run(String release, List<String> commands) {
        var result = execute(release, true, commands);
        assertEquals(0, result.exitCode(), () -> release + " " + commands + "\n" + result.output());
        return result.output();
    }

    private static void requireFailure(String release, boolean backwardCodecs, List<String> commands, String message) {
        var result = execute(release, backwardCodecs, commands);
        assertNotEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains(message), result::output);
    }

    private static void requireDocuments(String output, Path index, int count) {
        assertTrue(output.contains(index.getFileName() + ": " + count + " documents"), output);
    }

    @Test
    void each_release_reads_what_it_and_earlier_ones_wrote() throws IOException {
        var releases = releases();
        assertTrue(releases.size() > 1, releases::toString);
        var earlier = new ArrayList<Path>();
        for (var release : releases) {
            var own = folder.resolve("of-" + release);
            earlier.add(own);
            var commands = new ArrayList<>(List.of("default", "write", own.toString()));
            earlier.forEach(index -> commands.addAll(List.of("read", index.toString())));
            var output = run(release, commands);
            earlier.forEach(index -> requireDocuments(output, index, ReleaseProgram.DOCUMENTS));
        }
    }

    @Test
    void segments_of_several_releases_are_changed_and_merged() throws IOException {
        var index = folder.resolve("index");
        var count = 0;
        for (var release : releases()) {
            count += ReleaseProgram.DOCUMENTS;
            requireDocuments(run(release, List.of("append", index.toString(), "read", index.toString())), index, count);
        }
        var last = releases().getLast();
        requireDocuments(run(last, List.of("merge", index.toString(), "read", index.toString())), index, count);
        // The merged segment needs no codecs of earlier releases.
        var result = execute(last, false, List.of("read", index.toString()));
        requireDocuments(result.output(), index, count);
    }

    @Test
    void a_release_without_the_codecs_of_earlier_ones_reads_its_own_segments_only() throws IOException {
        var first = releases().getFirst();
        var last = releases().getLast();
        var old = folder.resolve("old").toString();
        var own = folder.resolve("own");
        run(first, List.of("write", old));
        var result = execute(last, false, List.of("default", "write", own.toString(), "read", own.toString()));
        requireDocuments(result.output(), own, ReleaseProgram.DOCUMENTS);
        requireFailure(last, false, List.of("read", old), "add lucene-backward-codecs");
        requireFailure(first, true, List.of("read", own.toString()), "IndexFormatTooNewException");
    }

    @Test
    void the_documentation_lists_the_releases() throws IOException {
        var listed = Files.readString(Command.ROOT.resolve("docs/lucene.md"))
                .replaceFirst("(?s).*runs it with ([0-9., and\n]*):.*", "$1")
                .split("[^0-9.]+");
        assertEquals(releases(), List.of(listed));
    }

    @Test
    void segments_without_a_record_of_their_delegate_are_read() throws IOException {
        for (var release : List.of(releases().getFirst(), releases().getLast())) {
            var index = Files.createDirectory(folder.resolve("copy-" + release));
            try (var files = Files.list(FIRST_FORMAT)) {
                for (var file : files.toList()) {
                    Files.copy(file, index.resolve(file.getFileName()));
                }
            }
            var path = index.toString();
            var output = run(release, List.of("read", path, "append", path, "merge", path, "read", path));
            requireDocuments(output, index, ReleaseProgram.DOCUMENTS);
            requireDocuments(output, index, 2 * ReleaseProgram.DOCUMENTS);
        }
    }
}
