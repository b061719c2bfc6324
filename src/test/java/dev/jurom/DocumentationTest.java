// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written about the code fits the code. */
class DocumentationTest {

    private static final Path SOURCES = Command.ROOT.resolve("src/main/java");
    private static final Path GENERATED = Command.ROOT.resolve("jextract/generated");
    private static final Path SNIPPETS = Command.ROOT.resolve("src/test/java");

    private static final String IMPORTS = """
            import dev.jurom.*;
            import dev.jurom.core.*;
            import dev.jurom.plugin.graph.*;
            import dev.jurom.urom.*;
            import java.time.Duration;
            """;

    @TempDir
    private Path folder;

    @Test
    void javadoc_finds_nothing_to_complain_about() throws IOException {
        var words = new ArrayList<>(List.of(tool("javadoc"), "-quiet", "-Xdoclint:all", "-Werror",
                "--release", "22", "-d", folder.toString(),
                "--snippet-path", SNIPPETS.toString(),
                "--module-path", jspecify(),
                "--module-source-path", "dev.jurom=" + SOURCES + File.pathSeparator + GENERATED));
        packages().forEach(name -> words.add("dev.jurom/" + name));

        Command.run(words);
    }

    @Test
    void the_example_in_the_readme_compiles_and_prints_what_the_worker_answered()
            throws IOException {
        var readme = Files.readString(Command.ROOT.resolve("README.md"));
        var example = Pattern.compile("(?s)```java\\n(.*?)```").matcher(readme);
        assertTrue(example.find(), "no example");
        var program = folder.resolve("Example.java");
        Files.writeString(program, IMPORTS + "public class Example {\n"
                + "public static void main(String[] arguments) {\n" + example.group(1) + "}\n}\n");

        var output = Command.run(tool("java"), "--enable-native-access=dev.jurom",
                "--module-path", Command.ROOT.resolve("target/classes").toString(),
                "--class-path", Command.SOFTWARE.toString(), "--add-modules", "dev.jurom",
                program.toString());

        assertTrue(example.group(1).lines().count() <= 16, "too long for a first look");
        assertEquals("42", output.strip());
    }

    /** The jar of the annotations, where Maven has put it: nothing needs them when it runs. */
    private static String jspecify() {
        return Stream.of("jdk.module.path", "java.class.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(path -> Path.of(path).getFileName().toString().startsWith("jspecify-"))
                .findFirst().orElseThrow();
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** All of ours, exported or not; the generated ones stay out. */
    private static List<String> packages() throws IOException {
        try (var files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> SOURCES.relativize(file).getParent())
                    .filter(path -> path != null)
                    .map(path -> path.toString().replace(File.separatorChar, '.'))
                    .distinct()
                    .toList();
        }
    }
}
