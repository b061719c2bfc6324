// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code urom plugin new}: writes a project with a plugin. The templates are the projects of {@code examples}, which the
 * pages about plugins develop: only their names are replaced.
 */
@Command(
        name = "new",
        description = "Writes a project with a worker plugin that builds, tests and runs at once: the codec of its"
                + " commands, the plugin, a program that calls it, and tests. README.md in the project lists the"
                + " commands.")
final class PluginNewCommand implements Callable<Integer> {

    /**
     * A project of {@code examples}.
     *
     * @param name the name in the project that the user's replaces
     * @param folder the folder in {@code examples}
     * @param files the paths of the files in the folder
     */
    private record Template(String name, String folder, List<String> files) {}

    private static final Template JAVA = new Template(
            "Checksum",
            "java-plugin",
            List.of(
                    "README.md",
                    "pom.xml",
                    "src/main/java/Checksum.java",
                    "src/main/java/ChecksumHost.java",
                    "src/main/java/ChecksumPlugin.java",
                    "src/test/java/ChecksumTest.java",
                    "src/test/resources/junit-platform.properties"));
    private static final Template C = new Template(
            "WordCount",
            "c-plugin",
            List.of(
                    "README.md",
                    "CMakeLists.txt",
                    "word_count.h",
                    "worker_word_count.c",
                    "word_count_test.c",
                    "pom.xml",
                    "src/main/java/WordCount.java",
                    "src/main/java/WordCountHost.java",
                    "src/test/java/WordCountTest.java",
                    "src/test/resources/junit-platform.properties"));

    private static final String PREFIX = "worker_"; // of the name of a plugin
    private static final int LONGEST_PLUGIN = 47; // characters, as the interface of UROM
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern LICENCE = Pattern.compile("^(//|/\\*) SPDX-License-Identifier: .*\n");

    /** The language of the plugin. */
    private static final class Language {

        @Option(names = "--java", required = true, description = "Write a Maven project with a plugin in Java.")
        private boolean java;

        @Option(
                names = "--c",
                required = true,
                description = "Write a CMake project with a plugin in C, and a Maven project with its host in Java.")
        private boolean c;
    }

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Language language;

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "Name of the Java class with the commands, such as WordCount; the plugin is then"
                    + " worker_word_count.")
    private String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIRECTORY",
            description = "New folder; it must not exist (default: the name of the plugin without worker_).")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        var template = language.java ? JAVA : C;
        if (!name.matches("[A-Z][A-Za-z0-9]*")) {
            throw wrongName("is not a class name: use ASCII letters and digits only, and begin with a capital,"
                    + " as WordCount");
        }
        var plugin = PREFIX + words(name);
        if (plugin.length() > LONGEST_PLUGIN) {
            throw wrongName("is too long: the plugin " + plugin + " would have " + plugin.length()
                    + " characters, and the limit is " + LONGEST_PLUGIN);
        }
        var project = project(template);
        var target = directory != null ? directory : Path.of(words(name));
        write(project, target);
        spec.commandLine().getOut().println(target.resolve("README.md"));
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }

    private CommandFailure wrongName(String what) {
        return new CommandFailure(ExitCode.USAGE, "NAME \"" + name + "\" " + what);
    }

    /** Returns the words of a class name in lower case, joined by underscores. */
    private static String words(String className) {
        return className
                .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the text of each file of the project. */
    private Map<String, String> project(Template template) throws IOException {
        var project = new LinkedHashMap<String, String>();
        var renamed = new TreeSet<String>();
        var kept = new TreeSet<String>();
        for (var file : template.files()) {
            var text = read(template.folder() + "/" + file);
            project.put(rename(template, file), rename(template, text));
            if (file.matches(".*\\.(java|c|h)")) {
                WORD.matcher(text).results().forEach(word -> {
                    var replaced = rename(template, word.group());
                    (replaced.equals(word.group()) ? kept : renamed).add(replaced);
                });
            }
        }
        renamed.retainAll(kept);
        if (!renamed.isEmpty()) {
            throw wrongName("would give " + String.join(" and ", renamed)
                    + " a second meaning in the project: choose another name");
        }
        return project;
    }

    private String rename(Template template, String text) {
        var words = words(template.name());
        return text.replace(template.name(), name)
                .replace(words, words(name))
                .replace(words.toUpperCase(Locale.ROOT), words(name).toUpperCase(Locale.ROOT));
    }

    /** Reads a file of a template, without the licence of this repository. */
    private static String read(String file) throws IOException {
        try (var in = PluginNewCommand.class.getResourceAsStream("examples/" + file)) {
            return LICENCE.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .replaceFirst("");
        }
    }

    /** Writes the files next to the target and renames their folder, so that a failure leaves nothing. */
    private static void write(Map<String, String> project, Path target) throws IOException {
        if (Files.exists(target)) {
            throw new CommandFailure(ExitCode.FILE, target + " exists: DIRECTORY must name a new folder");
        }
        var parent = target.toAbsolutePath().getParent();
        if (!Files.isDirectory(parent)) {
            throw new CommandFailure(ExitCode.FILE, parent + " is not a folder: create it, or name another DIRECTORY");
        }
        var temporary = Files.createTempDirectory(parent, ".urom-plugin-");
        try {
            var made = Files.createDirectory(temporary.resolve("project"));
            for (var file : project.entrySet()) {
                var path = made.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            try (var left = Files.walk(temporary)) {
                for (var path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
