// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.plugin.Codec;
import dev.jurom.worker.WorkerPlugin;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class path for a plugin of this application: its jars and folders in place, and copies of code that the JVM
 * of a worker cannot read, such as the jars in a jar of Spring Boot, and the modules in a {@code jlink} image.
 */
final class PluginCode {

    private static final String CODE = "code"; // the name of a copy

    private final Path copies;
    private final Set<String> copied = new HashSet<>(); // URLs
    private final Set<Path> classPath = new LinkedHashSet<>();

    private PluginCode(Path copies) {
        this.copies = copies;
    }

    /**
     * Returns the class path, after copying the files that must be copied.
     *
     * @param type the class of the plugin
     * @param copies an empty folder, or the path of a new folder
     * @return files that exist
     * @throws IOException if code cannot be copied
     */
    static List<Path> of(Class<?> type, Path copies) throws IOException {
        var code = new PluginCode(copies);
        for (var own : List.of(type, WorkerPlugin.class, Codec.class)) {
            if (own.getModule().isNamed()) {
                code.addModules(own.getModule());
            } else {
                code.add(location(own));
            }
        }
        for (var loader = type.getClassLoader(); loader != null; loader = loader.getParent()) {
            if (loader instanceof URLClassLoader urls) {
                for (var url : urls.getURLs()) {
                    code.add(url);
                }
            }
        }
        for (var property : List.of("java.class.path", "jdk.module.path")) {
            for (var entry : System.getProperty(property, "").split(File.pathSeparator)) {
                if (!entry.isEmpty()) {
                    code.addAll(Path.of(entry));
                }
            }
        }
        return List.copyOf(code.classPath);
    }

    /** Returns whether the modules of jurom are parts of the runtime image of this JVM. */
    static boolean isInImage() {
        return WorkerPlugin.class.getModule().isNamed()
                && reference(WorkerPlugin.class.getModule())
                        .location()
                        .filter(at -> at.getScheme().equals("jrt"))
                        .isPresent();
    }

    private static URL location(Class<?> type) throws IOException {
        var source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            throw unusable(type.getName(), null);
        }
        return source.getLocation();
    }

    private static IOException unusable(String code, @Nullable Exception cause) {
        return new IOException(
                code + " is not in a jar, a folder or a module that a worker can use: package the plugin with"
                        + " `urom plugin package`, and name its folder in DaemonConfiguration.Builder.plugins",
                cause);
    }

    /** Adds the modules that a module reads, itself included, but not those of the JDK. */
    private void addModules(Module module) throws IOException {
        var found = new LinkedHashMap<String, ResolvedModule>();
        var open = new ArrayDeque<ResolvedModule>();
        open.add(resolved(module));
        while (!open.isEmpty()) {
            var next = open.remove();
            if (!next.name().matches("(java|jdk)\\..*") && found.putIfAbsent(next.name(), next) == null) {
                open.addAll(next.reads());
            }
        }
        for (var next : found.values()) {
            addModule(next.reference());
        }
    }

    private static ResolvedModule resolved(Module module) {
        return configuration(module).findModule(module.getName()).orElseThrow();
    }

    private static Configuration configuration(Module module) {
        return module.getLayer().configuration();
    }

    private static ModuleReference reference(Module module) {
        return resolved(module).reference();
    }

    private void addModule(ModuleReference module) throws IOException {
        var location = module.location()
                .orElseThrow(() -> unusable("The module " + module.descriptor().name(), null));
        if (location.getScheme().equals("file")) {
            classPath.add(Path.of(location).toAbsolutePath());
            return;
        }
        try (var reader = module.open();
                var names = reader.list()) {
            copy(
                    module.descriptor().name(),
                    names.filter(name -> !name.endsWith("/")).toList(),
                    name -> reader.open(name).orElseThrow());
        }
    }

    /** Adds a jar or a folder at any URL. */
    private void add(URL url) throws IOException {
        try {
            if (url.getProtocol().equals("file")) {
                classPath.add(Path.of(new URI("file", null, url.toURI().getPath(), null))
                        .toAbsolutePath());
                return;
            }
            if (!copied.add(url.toString())) {
                return;
            }
            var text = url.toString();
            var root = text.lastIndexOf("!/") + "!/".length();
            // A connection to a folder fails if the jar has no entry for the folder itself.
            var whole = text.startsWith("jar:") && root < text.length()
                    ? URI.create(text.substring(0, root)).toURL()
                    : url;
            var connection = whole.openConnection();
            connection.setUseCaches(false);
            if (!(connection instanceof JarURLConnection jar)) {
                throw unusable(text, null);
            }
            copyJar(jar, whole == url ? "" : text.substring(root));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw unusable(url.toString(), e);
        }
    }

    private void copyJar(JarURLConnection connection, String prefix) throws IOException {
        try (var jar = connection.getJarFile()) {
            var names = jar.stream()
                    .filter(entry -> !entry.isDirectory() && entry.getName().startsWith(prefix))
                    .map(entry -> entry.getName().substring(prefix.length()))
                    .toList();
            copy(CODE, names, name -> jar.getInputStream(jar.getEntry(prefix + name)));
        }
    }

    /** Opens an entry of the code that is copied. */
    private interface Entries {
        InputStream open(String name) throws IOException;
    }

    private void copy(String name, Collection<String> names, Entries entries) throws IOException {
        var copy = Files.createDirectories(copies).resolve(classPath.size() + "-" + name + ".jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(copy))) {
            for (var entry : names) {
                jar.putNextEntry(new JarEntry(entry));
                try (var content = entries.open(entry)) {
                    content.transferTo(jar);
                }
            }
        }
        classPath.add(copy.toAbsolutePath());
    }

    /** Adds the jars of a folder of modules, or else the entry itself. */
    private void addAll(Path entry) {
        var files = entry.toFile().listFiles((folder, name) -> name.endsWith(".jar"));
        var jars = files == null || files.length == 0
                ? Stream.of(entry)
                : Stream.of(files).map(File::toPath).sorted();
        jars.map(Path::toAbsolutePath).forEach(classPath::add);
    }
}
