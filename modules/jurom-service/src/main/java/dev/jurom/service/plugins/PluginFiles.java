// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.FileStamps;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.wire.FrameRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the files that may be plugins. This class is immutable. */
public final class PluginFiles {

    /** A file that may be a plugin, and the properties file of one in Java. */
    record Candidate(String name, Path file, Plugin.Content content, Optional<Plugin.Content> properties) {}

    private static final String SUFFIX = ".so";
    private static final String PROPERTIES = ".properties";

    private final Supplier<List<Path>> directories;
    private final TrustedPath trusted;
    private final ServiceLog log;

    /**
     * Creates a search.
     *
     * @param directories returns the directories, in the order of the search; of several plugins with one name, the
     *         first
     *         is used
     * @param trusted determines which files are accepted
     * @param log receives the reasons why directories and files are not accepted
     */
    public PluginFiles(Supplier<List<Path>> directories, TrustedPath trusted, ServiceLog log) {
        this.directories = directories;
        this.trusted = trusted;
        this.log = log;
    }

    /**
     * Searches the directories.
     *
     * @param stamps receives the attributes on which the result depends
     */
    List<Candidate> find(FileStamps stamps) {
        var candidates = new LinkedHashMap<String, Candidate>();
        directories.get().forEach(directory -> addAll(directory, stamps, candidates));
        return List.copyOf(candidates.values());
    }

    private void addAll(Path directory, FileStamps stamps, Map<String, Candidate> candidates) {
        stamps.add(directory);
        if (!Files.isDirectory(directory)) {
            log.warning("The plugin directory " + directory + " is skipped: it does not exist or is not a directory");
            return;
        }
        try (var files = Files.list(directory)) {
            for (var file : files.filter(PluginFiles::isLibrary).sorted().toList()) {
                stamps.add(file);
                stamps.add(properties(file));
                add(file.toAbsolutePath(), candidates);
            }
        } catch (IOException e) {
            log.warning("The plugin directory " + directory + " is skipped: " + e);
        }
    }

    private static boolean isLibrary(Path file) {
        return file.getFileName().toString().endsWith(SUFFIX);
    }

    private static Path properties(Path file) {
        var name = file.getFileName().toString();
        return file.resolveSibling(name.substring(0, name.length() - SUFFIX.length()) + PROPERTIES);
    }

    private void add(Path file, Map<String, Candidate> candidates) {
        var fileName = file.getFileName().toString();
        if (!Files.isRegularFile(file)) {
            return;
        }
        var name = fileName.substring(0, fileName.length() - SUFFIX.length());
        var first = candidates.get(name);
        if (first != null) {
            skip(file, "the plugin " + first.file() + " has the same name and comes first", log);
            return;
        }
        try {
            FrameRules.requirePluginName(name);
            trusted.require(file);
            trusted.requireClosed(file.resolveSibling("")); // others of its files may be missing
            var properties = properties(file);
            candidates.put(
                    name,
                    new Candidate(
                            name,
                            file,
                            Plugin.Content.of(file),
                            Files.exists(properties) ? Optional.of(Plugin.Content.of(properties)) : Optional.empty()));
        } catch (IllegalArgumentException | IOException e) {
            skip(file, String.valueOf(e.getMessage()), log);
        }
    }

    /**
     * Examines the files from which a plugin runs code.
     *
     * @param named the files that its probe has printed
     * @param stamps receives the attributes on which the result depends
     * @throws IOException if other users can change or add a file; the message names it
     */
    CodeFiles examine(List<Path> named, FileStamps stamps) throws IOException {
        return CodeFiles.examine(named, trusted, stamps);
    }

    static void skip(Path file, String reason, ServiceLog log) {
        log.warning("The plugin file " + file + " is skipped: " + reason);
    }
}
