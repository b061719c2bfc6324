// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.worker.ProbePlugin.PROBE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Request;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a service runs a plugin in Java only if no other user can change the code that its workers run. */
class JavaPluginFilesTest {

    private static final String CLASS_PATH = "java.class.path";
    private static final int OTHER_USER = 4242;
    private static final Credentials OWN = Credentials.ofThisProcess();

    @TempDir
    private Path folder;

    private Path plugins;
    private Path logs;

    @BeforeEach
    void pack() throws IOException {
        folder = folder.toRealPath();
        plugins = folder.resolve("plugins");
        logs = Files.createDirectory(folder.resolve("logs"));
        var classes = ProbePlugin.class.getProtectionDomain().getCodeSource().getLocation();
        PluginFolder.pack(
                plugins,
                ProbePlugin.class.getName(),
                List.of(Path.of(classes.getPath())),
                PluginFolder.DEFAULT_OPTIONS);
    }

    private Path properties() {
        return plugins.resolve(ProbePlugin.NAME + ".properties");
    }

    private void edit(String pattern, String replacement) throws IOException {
        Files.writeString(properties(), Files.readString(properties()).replaceAll(pattern, replacement));
    }

    private static void permit(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static void give(Path file, int user) throws IOException {
        Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
    }

    private EmbeddedService open() {
        return EmbeddedService.open(usual -> usual.toBuilder()
                .plugins(plugins)
                .logs(LogSettings.DEFAULT.withDirectory(logs).withLevels(LogLevel.INFO, LogLevel.INFO))
                .build());
    }

    private static void assertAnswers(Urom urom) {
        try (var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            assertEquals("x", worker.call(PROBE, Request.of(Action.ECHO, "x")).text());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String log() {
        try {
            return Files.readString(logs.resolve(LogSettings.FILE_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The service must offer the plugin neither at its start nor after a change, and log a line with the reason. */
    private void assertRefused(String reason) {
        try (var service = open();
                var urom = Urom.open()) {
            assertThrows(DocaException.class, () -> urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME)));
        }
        var skipped = "The plugin file " + plugins.resolve(ProbePlugin.NAME + ".so") + " is skipped: ";
        assertTrue(
                log().lines().anyMatch(line -> line.contains(skipped) && line.contains(reason)),
                () -> "no line with \"" + reason + "\" in " + log());
    }

    private void assertAccepted() throws Exception {
        try (var service = open();
                var urom = Urom.open()) {
            assertAnswers(urom);
        }
    }

    /** A change of a file that makes it untrustworthy, and can be undone. */
    private enum Breach {
        WRITABLE("others can write to ") {
            @Override
            void apply(Path file) throws IOException {
                permit(file, "rwxrwxrwx");
            }

            @Override
            void undo(Path file) throws IOException {
                permit(file, "rwxr-xr-x");
            }
        },
        FOREIGN("belongs to user 4242") {
            @Override
            void apply(Path file) throws IOException {
                give(file, OTHER_USER);
            }

            @Override
            void undo(Path file) throws IOException {
                give(file, OWN.userId());
            }
        };

        private final String reason;

        Breach(String reason) {
            this.reason = reason;
        }

        abstract void apply(Path file) throws IOException;

        abstract void undo(Path file) throws IOException;
    }

    /** Returns the breaches that this user can cause. */
    private static List<Breach> breaches() {
        return OWN.userId() == Credentials.ROOT ? List.of(Breach.values()) : List.of(Breach.WRITABLE);
    }

    private void assertChecked(Path file) throws Exception {
        for (var breach : breaches()) {
            breach.apply(file);
            assertRefused(breach, file);
            breach.undo(file);
        }
        assertAccepted();
    }

    private void assertRefused(Breach breach, Path file) {
        assertRefused(breach == Breach.WRITABLE ? breach.reason + file : file + " " + breach.reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "worker_probe.so",
                "worker_probe.properties",
                "worker_probe.jars",
                "worker_probe.jars/2-test-classes.jar"
            })
    void a_file_that_another_user_can_change_is_refused(String name) throws Exception {
        assertChecked(plugins.resolve(name));
    }

    /** An imitation of the JDK by links, with one file more. */
    private Path jdk() throws IOException {
        var jdk = Files.createDirectory(folder.resolve("jdk"));
        try (var files = Files.newDirectoryStream(Path.of(System.getProperty("java.home")))) {
            for (var file : files) {
                Files.createSymbolicLink(jdk.resolve(file.getFileName()), file);
            }
        }
        edit("java.home=.*", "java.home=" + jdk);
        return jdk;
    }

    @Test
    void a_jdk_with_a_file_of_another_user_is_refused() throws Exception {
        var more = Files.createDirectory(jdk().resolve("more"));
        assertChecked(more);
        assertChecked(Files.writeString(more.resolve("file"), ""));
    }

    @Test
    void a_folder_that_another_user_can_create_is_refused() throws Exception {
        edit("java.home=.*", "java.home=/tmp/jurom-there-is-no-such-jdk");
        assertRefused("others can add files to /tmp");

        edit("java.home=.*", "java.home=" + System.getProperty("java.home"));
        assertAccepted();
        edit("class.path=(.*)", "class.path=$1:/tmp/jurom-there-is-no-such-jar/a.jar");
        assertRefused("others can add files to /tmp");
    }

    @Test
    void a_plugin_in_a_folder_to_which_others_can_add_files_is_refused() throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("chmod", "1777", plugins.toString()).start().waitFor());
        assertRefused("others can add files to " + plugins);
    }

    private static void writeJar(Path file, String name, String value) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name(name), value);
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Class-Path", "Boot-Class-Path"})
    void a_jar_that_the_manifest_of_another_names_is_checked(String attribute) throws Exception {
        var named = Files.createDirectory(folder.resolve("named"));
        writeJar(named.resolve("c.jar"), "X", "x");
        writeJar(named.resolve("b.jar"), attribute, "c.jar http://localhost/x.jar");
        writeJar(plugins.resolve("worker_probe.jars/a.jar"), attribute, "../../named/b.jar");
        edit("class.path=(.*)", "class.path=$1:worker_probe.jars/a.jar");

        assertChecked(named.resolve("b.jar"));
        assertChecked(named.resolve("c.jar"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-javaagent:@",
                "-agentpath:@=x",
                "-Xbootclasspath/a:/usr/share/java/none.jar:@",
                "--patch-module=java.base=@",
                "-XX:SharedArchiveFile=@",
                "-Djdk.module.path=@"
            })
    void a_file_that_an_option_loads_is_checked(String option) throws Exception {
        var file = Files.writeString(folder.resolve("loaded"), "");
        edit("options=(.*)", "options=\\$1 " + option.replace("@", file.toString()));

        for (var breach : breaches()) {
            breach.apply(file);
            assertRefused(breach, file);
            breach.undo(file);
        }
    }

    @Test
    void an_option_that_reads_options_from_a_file_is_refused() throws Exception {
        edit("options=(.*)", "options=$1 -XX:Flags=" + Files.writeString(folder.resolve("flags"), ""));

        assertRefused("reads options from a file");
    }

    private List<String> probe() throws Exception {
        var process = new ProcessBuilder(
                        SoftwareInstallation.current().workerProgram().toString(),
                        "--probe",
                        plugins.resolve(ProbePlugin.NAME + ".so").toString())
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return output.lines().toList();
    }

    @Test
    void an_aot_cache_of_another_user_is_refused() throws Exception {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        assumeTrue(Runtime.version().feature() >= 25, "a JDK before 25 uses no AOT cache");
        var cache = Path.of(probe().stream()
                .filter(line -> line.endsWith(".aot"))
                .findFirst()
                .orElseThrow()
                .substring("file=".length()));
        give(Files.writeString(cache, ""), OTHER_USER);

        assertRefused(cache + " belongs to user 4242");
    }

    @Test
    void a_probe_prints_the_files_and_then_the_version() throws Exception {
        edit("options=(.*)", "options=$1 -javaagent:/opt/agent.jar=x");

        var lines = probe();

        assertTrue(
                lines.containsAll(List.of(
                        "file=" + properties(),
                        "file=" + System.getProperty("java.home"),
                        "file=" + plugins.resolve("worker_probe.jars/2-test-classes.jar"),
                        "file=/opt/agent.jar")),
                lines::toString);
        assertEquals(List.of("version=1", "ucx=no"), lines.subList(lines.size() - 2, lines.size()));
    }

    @Test
    void a_file_that_changes_while_the_service_runs_is_checked_before_the_next_worker() throws Exception {
        var jar = plugins.resolve("worker_probe.jars/2-test-classes.jar");
        try (var service = open()) {
            for (var breach : breaches()) {
                try (var urom = Urom.open()) {
                    assertAnswers(urom);
                    breach.apply(jar);
                    assertThrows(DocaException.class, () -> assertAnswers(urom));
                }
                breach.undo(jar);
                try (var urom = Urom.open()) { // a connection has the service look for plugins again
                    assertAnswers(urom);
                }
            }
        }
    }

    /** The application runs these files itself, regardless of the users that can change them. */
    @Test
    void a_plugin_of_the_application_runs_from_its_class_path() throws Exception {
        var classes = Files.createDirectory(folder.resolve("classes"));
        permit(classes, "rwxrwxrwx");
        var before = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, before + ":" + classes);
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().plugin(ProbePlugin.class).build());
                var urom = Urom.open()) {
            assertAnswers(urom);
        } finally {
            System.setProperty(CLASS_PATH, before);
        }
    }
}
