// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.fixture.Command;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.runtime.DaemonException;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests plugins that are registered by their class, wherever the application has its code. */
class PluginCodeTest {

    private static final String PACKAGE = "org.example.packed";
    private static final String CLASS = PACKAGE + ".PackedPlugin";
    private static final String SOURCE = """
            package org.example.packed;
            import dev.jurom.worker.*;
            public class PackedPlugin implements WorkerPlugin {
                public String name() { return "worker_packed"; }
                public long version() { return 1; }
                public void command(Command command, Responder responder) {
                    responder.room().set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, Number.VALUE);
                    responder.reply(8);
                }
                static class Number { static final Long VALUE = 42L; }
            }
            """;

    /** A command and its answer. */
    record Value(long number) {}

    private static final StructCodec<Value> CODEC = codec();
    private static final Offload<Value, Value> VALUE = Offload.of("worker_packed", 1, CODEC, CODEC);

    @TempDir
    private Path folder;

    private Path classes;

    private static StructCodec<Value> codec() {
        StructBuilder<Value> struct = StructBuilder.struct("value");
        var number = struct.u64("number", Value::number);
        return struct.codec(in -> new Value(number.get(in)));
    }

    @BeforeEach
    void compile() throws IOException {
        classes = folder.resolve("classes");
        var source = folder.resolve("PackedPlugin.java");
        Files.writeString(source, SOURCE);
        compile("-d", classes.toString(), "-cp", Command.CLASS_PATH, source.toString());
    }

    private static void compile(String... words) {
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words));
    }

    private Path jar(String prefix) throws IOException {
        var file = folder.resolve("app.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file));
                var found = Files.walk(classes)) {
            for (var each : found.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(prefix + classes.relativize(each)));
                Files.copy(each, jar);
            }
        }
        return file;
    }

    private static void assertAnswered(ClassLoader loader) throws Exception {
        var type = loader.loadClass(CLASS).asSubclass(WorkerPlugin.class);
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().plugin(type).build());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of("worker_packed"))) {
            assertEquals(42, worker.call(VALUE, new Value(0)).number());
        }
    }

    @Test
    void a_plugin_in_a_folder_of_a_class_loader_is_used_in_place() throws Exception {
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            assertAnswered(loader);
        }
    }

    @Test
    void a_plugin_in_a_folder_of_a_jar_is_copied() throws Exception {
        var url = URI.create("jar:" + jar("BOOT-INF/classes/").toUri() + "!/BOOT-INF/classes/")
                .toURL();
        try (var loader = new URLClassLoader(new URL[] {url})) {
            assertAnswered(loader);
        }
    }

    /** Serves the entries of a folder, which it cannot list. */
    private final class Opaque extends URLStreamHandler {

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {

                @Override
                public void connect() {
                    connected = true;
                }

                @Override
                public InputStream getInputStream() throws IOException {
                    return Files.newInputStream(classes.resolve(url.getPath().substring(1)));
                }
            };
        }
    }

    @Test
    void code_that_cannot_be_listed_leads_to_a_message_that_names_the_remedy() throws Exception {
        var url = URL.of(URI.create("opaque:/"), new Opaque());
        try (var loader = new URLClassLoader(new URL[] {url})) {
            var failure = assertThrows(DaemonException.class, () -> assertAnswered(loader));

            assertTrue(failure.getMessage().contains("opaque:/"), failure.getMessage());
            assertTrue(failure.getMessage().contains("`urom plugin package`"), failure.getMessage());
        }
    }

    @Test
    void a_package_that_is_not_exported_leads_to_a_message_that_names_the_export() throws Exception {
        var declaration = folder.resolve("module-info.java");
        Files.writeString(declaration, "module org.example.closed {}");
        var words = new ArrayList<>(List.of("-d", classes.toString(), "-cp", Command.CLASS_PATH));
        words.addAll(List.of("--add-reads", "org.example.closed=ALL-UNNAMED", declaration.toString()));
        words.add(folder.resolve("PackedPlugin.java").toString());
        compile(words.toArray(String[]::new));
        var boot = ModuleLayer.boot();
        var configuration = Configuration.resolve(
                ModuleFinder.of(classes),
                List.of(boot.configuration()),
                ModuleFinder.of(),
                List.of("org.example.closed"));
        var layer = ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(boot), getClass().getClassLoader());
        var module = layer.layer().findModule("org.example.closed").orElseThrow();
        layer.addReads(module, WorkerPlugin.class.getModule());
        var type = module.getClassLoader().loadClass(CLASS).asSubclass(WorkerPlugin.class);

        var failure = assertThrows(IllegalArgumentException.class, () -> PluginFolder.writeLinked(folder, type));
        assertEquals(
                "the module org.example.closed does not export the package of " + CLASS
                        + ": add \"exports org.example.packed to dev.jurom.worker;\" to its declaration",
                failure.getMessage());
    }
}
