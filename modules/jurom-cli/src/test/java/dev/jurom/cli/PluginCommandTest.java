// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                public void command(Command command, Responder responder) { responder.reply(0); }
            }
            """;

    @TempDir
    private Path folder;

    private Programs.Printed pack(String className) throws IOException {
        var source = Files.writeString(folder.resolve("Silent.java"), PLUGIN);
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

        var properties = folder.resolve("plugins/worker_silent.properties");
        Files.writeString(properties, Files.readString(properties).replaceAll("java.home=.*", "java.home=/no/jdk"));
        var failed = Programs.uromFrom(
                Map.of(), "doctor", "--plugins", folder.resolve("plugins").toString());
        assertEquals(ExitCode.FOUND_WRONG, failed.exitCode(), failed::output);
        assertTrue(failed.output().contains("there is no usable JDK in /no/jdk"), failed.output());
    }

    @Test
    void a_class_that_is_no_plugin_is_refused() throws IOException {
        var packed = pack("java.lang.String");

        assertEquals(ExitCode.FILE, packed.exitCode(), packed::error);
        assertTrue(packed.error().contains("java.lang.String is not a plugin"), packed.error());
    }
}
