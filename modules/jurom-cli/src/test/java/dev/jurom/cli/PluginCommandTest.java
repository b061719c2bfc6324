// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginCommandTest {

    private static final String PLUGIN = """
            import dev.jurom.worker.*;

            public final class Silent implements WorkerPlugin {
                public String name() { return "worker_silent"; }
                public long version() { return 3; }
                public void open() throws java.io.IOException {
                    java.nio.file.Files.writeString(java.nio.file.Path.of("OPENED"), "");
                }
                public void command(Command command, Responder responder) { responder.reply(0); }

                public static final class Unnamed implements WorkerPlugin {
                    public String name() { return "no name"; }
                    public long version() { return 1; }
                    public void command(Command command, Responder responder) {}
                }
            }
            """;

    @TempDir
    private Path folder;

    private Programs.Printed pack(String className) throws IOException {
        var source = Files.writeString(
                folder.resolve("Silent.java"),
                PLUGIN.replace("OPENED", folder.resolve("opened").toString()));
        var classes = Files.createDirectories(folder.resolve("classes"));
        var compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(
                0,
                compiler.run(
                        null,
                        null,
                        null,
                        "--release",
                        "22",
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString()));
        return Programs.uromFrom(
                Map.of(),
                "plugin",
                "package",
                "--jar",
                classes.toString(),
                "--class",
                className,
                "-o",
                folder.resolve("plugins").toString());
    }

    @Test
    void the_header_of_records_compiles() throws IOException {
        var source = Files.writeString(folder.resolve("Reading.java"), """
                record Reading(Sensor sensor, @dev.jurom.plugin.Length(4) double[] values) {}

                record Sensor(int number, String name) {}
                """);
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-d",
                                folder.toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                source.toString()));

        var printed = header("Reading", "Sensor");

        assertEquals(ExitCode.DONE, printed.exitCode(), printed::error);
        assertEquals("""
                #include <stdint.h>

                struct sensor {
                    int32_t number;
                    uint32_t name_length; /* of name, behind the struct */
                };

                struct reading {
                    struct sensor sensor;
                    double values[4];
                };
                """, printed.output());
        var header = Files.writeString(folder.resolve("reading.h"), printed.output());
        Command.run("cc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-xc", header.toString());
        assertEquals(ExitCode.FILE, header("Absent").exitCode());
        assertEquals(ExitCode.USAGE, header("java.lang.String").exitCode());
    }

    private Programs.Printed header(String... names) {
        var words = new ArrayList<>(List.of("plugin", "header", "--jar", folder.toString()));
        for (var name : names) {
            words.addAll(List.of("--class", name));
        }
        return Programs.uromHere(words.toArray(String[]::new));
    }

    @Test
    void a_packaged_plugin_starts_in_the_doctor() throws IOException {
        var packed = pack("Silent");

        assertEquals(ExitCode.DONE, packed.exitCode(), packed::error);
        assertEquals(
                folder.resolve("plugins/worker_silent.so").toString(),
                packed.output().strip());

        var checked = Programs.uromFrom(
                Map.of(), "doctor", "--plugins", folder.resolve("plugins").toString());
        assertEquals(ExitCode.DONE, checked.exitCode(), checked::output);
        assertTrue(checked.output().contains("worker_silent starts"), checked.output());
        assertTrue(Files.exists(folder.resolve("opened")));

        var properties = folder.resolve("plugins/worker_silent.properties");
        Files.writeString(properties, Files.readString(properties).replaceAll("java.home=.*", "java.home=/no/jdk"));
        var failed = Programs.uromFrom(
                Map.of(), "doctor", "--plugins", folder.resolve("plugins").toString());
        assertEquals(ExitCode.FOUND_WRONG, failed.exitCode(), failed::output);
        assertTrue(failed.output().contains("there is no usable JDK in /no/jdk"), failed.output());
    }

    /** A file that others can change must not be executed, since the doctor may run as root. */
    @Test
    void the_doctor_executes_nothing_that_others_can_change() throws IOException {
        assertEquals(ExitCode.DONE, pack("Silent").exitCode());
        for (var name : List.of(
                "worker_silent.so",
                "worker_silent.properties",
                "worker_silent.jars",
                "worker_silent.jars/2-classes.jar")) {
            var file = folder.resolve("plugins").resolve(name);
            var before = Files.getPosixFilePermissions(file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));

            var checked = Programs.uromFrom(
                    Map.of(), "doctor", "--plugins", folder.resolve("plugins").toString());

            assertEquals(ExitCode.FOUND_WRONG, checked.exitCode(), checked::output);
            assertTrue(checked.output().contains("worker_silent is not offered"), checked::output);
            assertTrue(checked.error().contains("others can write to " + file), checked::error);
            assertFalse(Files.exists(folder.resolve("opened")));
            Files.setPosixFilePermissions(file, before);
        }
    }

    @Test
    void a_class_that_is_no_plugin_is_refused() throws IOException {
        var packed = pack("java.lang.String");

        assertEquals(ExitCode.FILE, packed.exitCode(), packed::error);
        assertTrue(packed.error().contains("java.lang.String is not a plugin"), packed.error());
    }

    @Test
    void a_plugin_whose_name_is_invalid_is_refused() throws IOException {
        var packed = pack("Silent$Unnamed");

        assertEquals(ExitCode.FILE, packed.exitCode(), packed::error);
        assertTrue(packed.error().contains("has the name \"no name\" and the version 1"), packed.error());
    }

    @Test
    void a_private_service_offers_the_plugins_of_a_folder_until_it_is_terminated() throws IOException {
        assertEquals(ExitCode.DONE, pack("Silent").exitCode());
        var output = folder.resolve("output");
        var service = new ProcessBuilder(Programs.uromWords(
                        "plugin", "run", folder.resolve("plugins").toString()))
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("error").toFile())
                .start();
        try {
            Waiting.until(
                    "the service prints its variable", () -> output.toFile().length() > 0 || !service.isAlive());
            var variable = Files.readString(output).strip().split("[ =]");
            assertEquals("export", variable[0], Files.readString(folder.resolve("error")));

            var plugins = Programs.uromFrom(Map.of(variable[1], variable[2]), "plugins");
            assertTrue(plugins.output().contains("worker_silent"), plugins::toString);

            Command.run("kill", "-TERM", Long.toString(service.pid()));
            Waiting.until("the service has ended", () -> !service.isAlive());
            assertFalse(Files.exists(Path.of(variable[2])), "its service file is left");
        } finally {
            service.destroyForcibly();
        }
    }
}
