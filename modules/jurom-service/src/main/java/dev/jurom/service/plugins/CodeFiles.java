// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.FileStamps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/**
 * The files and folders from which a worker runs code, in addition to the library of a plugin: those that its
 * probe prints, and those that the manifests of these jars name. Some may be missing.
 *
 * @param contents the content of each regular file when it was examined
 * @param settled whether all files were unchanged for long enough that the probe has read this content
 */
record CodeFiles(Map<Path, Optional<Plugin.Content>> contents, boolean settled) {

    /** The second attribute is that of JVM agents. */
    private static final List<Attributes.Name> CLASS_PATHS =
            List.of(Attributes.Name.CLASS_PATH, new Attributes.Name("Boot-Class-Path"));

    /**
     * Examines files.
     *
     * @param named the files that the probe has printed
     * @param trusted determines which files are accepted
     * @param stamps receives the attributes on which the result depends, also if it is a failure
     * @throws IOException if other users can change or add a file; the message names it
     */
    static CodeFiles examine(List<Path> named, TrustedPath trusted, FileStamps stamps) throws IOException {
        var contents = new LinkedHashMap<Path, Optional<Plugin.Content>>();
        var own = new FileStamps();
        named.forEach(file -> add(file, stamps, own));
        var remaining = new ArrayDeque<>(named);
        while (!remaining.isEmpty()) {
            var file = remaining.remove();
            if (contents.containsKey(file)) {
                continue;
            }
            add(file, stamps, own);
            trusted.requireContent(file).forEach(stamps::add);
            contents.put(file, content(file));
            remaining.addAll(namedBy(file));
        }
        return new CodeFiles(contents, own.isSettled());
    }

    private static void add(Path file, FileStamps stamps, FileStamps own) {
        stamps.add(file);
        own.add(file);
        Optional.ofNullable(file.getParent()).ifPresent(stamps::add); // its permissions may change
    }

    private static Optional<Plugin.Content> content(Path file) throws IOException {
        return Files.isRegularFile(file) ? Optional.of(Plugin.Content.of(file)) : Optional.empty();
    }

    /** Returns the files that the manifest of a jar adds to a class path. */
    private static List<Path> namedBy(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            return List.of();
        }
        try (var jar = new JarFile(file.toFile(), false)) {
            var manifest = jar.getManifest();
            return manifest == null
                    ? List.of()
                    : CLASS_PATHS.stream()
                            .map(name -> manifest.getMainAttributes().getValue(name))
                            .flatMap(Stream::ofNullable)
                            .flatMap(value -> Stream.of(value.split(" +")))
                            .filter(entry -> !entry.isEmpty())
                            .flatMap(entry -> resolve(file, entry))
                            .toList();
        } catch (ZipException e) {
            return List.of(); // it is not a jar
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the class path in the manifest of " + file + " cannot be checked: " + e.getMessage(), e);
        }
    }

    /** Resolves an entry, which is a URL, as a class loader does: entries with other schemes have no effect. */
    private static Stream<Path> resolve(Path jar, String entry) {
        var location = jar.toUri().resolve(entry);
        return "file".equals(location.getScheme()) ? Stream.of(Path.of(location.getPath())) : Stream.empty();
    }

    /** {@return whether another examination would have the same result, apart from access rights} */
    boolean isCurrent() {
        return settled && contents.entrySet().stream().allMatch(CodeFiles::isUnchanged);
    }

    private static boolean isUnchanged(Map.Entry<Path, Optional<Plugin.Content>> examined) {
        try {
            return content(examined.getKey()).equals(examined.getValue());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Checks all files again before a worker loads them. A file that was missing may have appeared, such as an AOT
     * cache that a worker has created.
     *
     * @throws IOException if a file has changed, or other users can change or add one; the message names it
     */
    void require(TrustedPath trusted) throws IOException {
        for (var examined : contents.entrySet()) {
            trusted.requireContent(examined.getKey());
            if (examined.getValue().isPresent() && !isUnchanged(examined)) {
                throw Plugin.changed(examined.getKey());
            }
        }
    }
}
