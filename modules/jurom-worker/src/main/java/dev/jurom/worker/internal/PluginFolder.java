// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.plugin.Codec;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.worker.WorkerPlugin;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the files of plugins into a folder of a service: for the plugin {@code NAME} a copy of
 * {@code worker_java.so} as {@code NAME.so}, which must not be a link, {@code NAME.properties}, and the
 * jars in {@code NAME.jars}. The folder can be copied.
 */
public final class PluginFolder {

    /**
     * The default options of the JVM: no threads that collect garbage, and a heap of at most a twentieth of the memory,
     * since a machine has many workers. Unlike -Xmx, this yields to -Xmx in the environment of a worker.
     */
    public static final String DEFAULT_OPTIONS = "-XX:+UseSerialGC -XX:MaxRAMPercentage=5";

    /** Those where the image of the JVM contains jurom, so that a worker loads it from there. */
    private static final String IMAGE_OPTIONS = DEFAULT_OPTIONS + " --enable-native-access=dev.jurom,dev.jurom.worker";

    private static final long FACTOR = 0x9E3779B97F4A7C15L; // of the hash
    private static final String NAME = "[A-Za-z0-9_-]{1,47}";
    /** Services load no files to which others can write, whatever the umask of this process is. */
    private static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-r--r--");

    private static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Duration TRAINING = Duration.ofSeconds(60);

    private PluginFolder() {}

    /**
     * Writes a plugin that uses the class path of this JVM: in place where a worker can read it, otherwise
     * copies.
     *
     * @param folder an existing folder
     * @param type the class of the plugin
     * @throws IOException if the files cannot be written
     * @throws IllegalArgumentException if the class is not a plugin
     */
    public static void writeLinked(Path folder, Class<? extends WorkerPlugin> type) throws IOException {
        try {
            var plugin = PluginLoader.load(type.getName(), type.getClassLoader());
            var name = requireName(plugin);
            var classPath = PluginCode.of(type, folder.resolve(name + ".jars"));
            write(folder, name, plugin, classPath, PluginCode.isInImage() ? IMAGE_OPTIONS : DEFAULT_OPTIONS);
        } catch (PluginLoader.LoadException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Packages a plugin with its jars.
     *
     * @param folder is created if it does not exist; files of the same plugin are replaced
     * @param className the class of the plugin
     * @param jars contain its classes: jars, or folders of classes
     * @param options the options of the JVM, separated by blanks
     * @return the name of the plugin
     * @throws IOException if the files cannot be written, or the class is not a plugin
     */
    public static String pack(Path folder, String className, List<Path> jars, String options) throws IOException {
        try (var loader = new PluginLoader(jars)) {
            var plugin = PluginLoader.load(className, loader);
            var name = requireName(plugin);
            var target = Files.createDirectories(
                    folder.resolve(name + ".jars"), PosixFilePermissions.asFileAttribute(FOLDER_MODE));
            deleteAll(target, "*");
            deleteAll(folder, name + "-*.aot*");
            var classPath = new ArrayList<Path>();
            for (var jar : Stream.concat(Stream.of(source(WorkerPlugin.class), source(Codec.class)), jars.stream())
                    .toList()) {
                var copy = target.resolve(classPath.size() + "-" + jarName(jar));
                copyJar(jar, copy);
                Files.setPosixFilePermissions(copy, FILE_MODE);
                classPath.add(folder.relativize(copy));
            }
            write(folder, name, plugin, classPath, options);
            return name;
        } catch (PluginLoader.LoadException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void deleteAll(Path folder, String pattern) throws IOException {
        try (var files = Files.newDirectoryStream(folder, pattern)) {
            for (var file : files) {
                Files.delete(file);
            }
        }
    }

    private static String requireName(WorkerPlugin plugin) throws PluginLoader.LoadException {
        if (!plugin.name().matches(NAME) || plugin.version() < 1) {
            throw new PluginLoader.LoadException(
                    plugin.getClass().getName() + " has the name \"" + plugin.name()
                            + "\" and the version " + plugin.version()
                            + ": a name has 1 to 47 letters, digits, - and _, and a version is 1 or more",
                    null);
        }
        return plugin.name();
    }

    private static String jarName(Path jar) {
        var name = String.valueOf(jar.toAbsolutePath().normalize().getFileName());
        return name.endsWith(".jar") ? name : name + ".jar";
    }

    private static void copyJar(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        try (var files = Files.walk(from);
                var jar = new JarOutputStream(Files.newOutputStream(to))) {
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                jar.putNextEntry(new JarEntry(from.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
    }

    /** Returns the jar, or the folder, that contains a class. */
    private static Path source(Class<?> type) throws IOException {
        var source = type.getProtectionDomain().getCodeSource();
        try {
            var place = source == null ? null : source.getLocation().toURI();
            if (place == null || !place.getScheme().equals("file")) {
                throw new IOException(type.getName() + " is not in a jar or a folder, from which it could be copied");
            }
            return Path.of(new URI("file", null, place.getPath(), null));
        } catch (URISyntaxException e) {
            throw new IOException(type.getName() + " has no usable location: " + e.getMessage(), e);
        }
    }

    /**
     * Creates the AOT cache of a packaged plugin, which contains the classes of the JDK, of jurom and of the
     * plugin that it uses when it starts. Blocks for some seconds, at most 60.
     *
     * @param folder the folder of the plugin
     * @param name its name
     * @return the cache
     * @throws IOException if the JDK of the plugin does not create it
     * @throws InterruptedException if the current thread is interrupted
     */
    public static Path train(Path folder, String name) throws IOException, InterruptedException {
        var settings = new Properties();
        try (var file = Files.newBufferedReader(folder.resolve(name + ".properties"))) {
            settings.load(file);
        }
        var home = Path.of(settings.getProperty("java.home"));
        var options = settings.getProperty("options");
        var classPath = Stream.of(settings.getProperty("class.path").split(":"))
                .map(folder.toAbsolutePath()::resolve)
                .toList();
        var cache = folder.toAbsolutePath().resolve(name + "-" + hash(home, options, classPath) + ".aot");
        var words = new ArrayList<String>(List.of(home.resolve("bin/java").toString(), "-XX:AOTCacheOutput=" + cache));
        words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xlog:disable", "-Xlog:all=error:stderr"));
        words.addAll(Stream.of(options.split(" +")).filter(it -> !it.isEmpty()).toList());
        words.addAll(List.of(
                "-cp",
                classPath.stream().map(Path::toString).collect(Collectors.joining(":")),
                HostedPlugin.class.getName(),
                settings.getProperty("class")));
        var log = Files.createTempFile("jurom-train", ".log");
        try {
            var status = run(words, log);
            if (status.isEmpty()) {
                throw new IOException("the training of " + settings.getProperty("class") + " did not end within "
                        + TRAINING.toSeconds() + " s; package the plugin without training");
            }
            if (status.getAsInt() != 0 || !Files.exists(cache)) {
                throw new IOException("the JDK in " + home + " created no AOT cache, which requires version 25: "
                        + Files.readString(log).strip());
            }
            Files.setPosixFilePermissions(cache, FILE_MODE);
            return cache;
        } catch (IOException | InterruptedException e) {
            Files.deleteIfExists(cache); // it may be incomplete
            throw e;
        } finally {
            Files.delete(log);
        }
    }

    /** Runs a program that may start others; returns its exit code, or empty if it was killed at the deadline. */
    private static OptionalInt run(List<String> words, Path log) throws IOException, InterruptedException {
        var process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            return process.waitFor(TRAINING.toSeconds(), TimeUnit.SECONDS)
                    ? OptionalInt.of(process.exitValue())
                    : OptionalInt.empty();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Hashes the inputs of a cache. The function in {@code aot_cache.c} computes the same. */
    private static String hash(Path home, String options, List<Path> classPath) throws IOException {
        var hash = add(0, Files.readAllBytes(home.resolve("release")));
        hash = add(hash, options.getBytes(StandardCharsets.UTF_8));
        for (var jar : classPath) {
            hash = add(hash, Files.readAllBytes(jar));
        }
        return HexFormat.of().toHexDigits(hash);
    }

    private static long add(long hash, byte[] bytes) {
        var words = ByteBuffer.wrap(Arrays.copyOf(bytes, (bytes.length + 7) / 8 * 8))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer();
        while (words.hasRemaining()) {
            hash = (hash ^ words.get()) * FACTOR;
            hash ^= hash >>> 32;
        }
        return (hash ^ bytes.length) * FACTOR;
    }

    /** Writes the properties, then the library, whose change makes a service examine the plugin again. */
    private static void write(Path folder, String name, WorkerPlugin plugin, List<Path> classPath, String options)
            throws IOException {
        var properties = folder.resolve(name + ".properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "# A worker plugin in Java. Paths are relative to this folder.",
                        "version=" + plugin.version(),
                        "class=" + plugin.getClass().getName(),
                        "class.path=" + classPath.stream().map(Path::toString).collect(Collectors.joining(":")),
                        "java.home=" + System.getProperty("java.home"),
                        "options=" + options.strip(),
                        ""));
        Files.setPosixFilePermissions(properties, FILE_MODE);
        var copy = folder.resolve(name + ".so.new");
        Files.copy(SoftwareInstallation.current().javaPlugin(), copy, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(copy, FOLDER_MODE);
        Files.move(copy, folder.resolve(name + ".so"), StandardCopyOption.ATOMIC_MOVE);
    }
}
