// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * The plugins that the service offers. Each has one bit as its id, in the order of their
 * discovery. Immutable.
 */
final class PluginCatalog {

    /** So many bits are given out: the two highest stay free. */
    static final int MAX_PLUGINS = 62;

    private static final String SUFFIX = ".so";
    private static final int PARALLEL_PROBES = 4;

    private final List<Plugin> plugins;
    private final long allIds;

    private PluginCatalog(List<Plugin> plugins) {
        this.plugins = List.copyOf(plugins);
        this.allIds = plugins.stream().mapToLong(plugin -> plugin.info().id())
                .reduce(0, (a, b) -> a | b);
    }

    /**
     * Looks for plugins. What is none is skipped with a warning that says why.
     *
     * @param directories scanned in this order; of plugins with one name, the first counts
     */
    static PluginCatalog discover(List<Path> directories, PluginProbe probe, ServiceLog log)
            throws InterruptedException {
        var candidates = new LinkedHashMap<String, Path>();
        directories.forEach(directory -> addCandidates(directory, candidates, log));

        var threads = Executors.newFixedThreadPool(PARALLEL_PROBES,
                Thread.ofPlatform().daemon().name("urom-probe-", 0).factory());
        try {
            var answers = new LinkedHashMap<String, Future<PluginProbe.Answer>>();
            candidates.forEach((name, file) -> answers.put(name,
                    threads.submit((Callable<PluginProbe.Answer>) () -> probe.probe(file))));
            var plugins = new ArrayList<Plugin>();
            for (var entry : answers.entrySet()) {
                addPlugin(entry, candidates.get(entry.getKey()), plugins, log);
            }
            return new PluginCatalog(plugins);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void addCandidates(Path directory, Map<String, Path> candidates,
            ServiceLog log) {
        if (!Files.isDirectory(directory)) {
            log.warning("The plugin directory " + directory
                    + " is skipped: it is not there, or no directory");
            return;
        }
        try (var files = Files.list(directory)) {
            for (var file : files.sorted().toList()) {
                addCandidate(file, candidates, log);
            }
        } catch (IOException e) {
            log.warning("The plugin directory " + directory + " is skipped: " + e);
        }
    }

    private static void addCandidate(Path file, Map<String, Path> candidates, ServiceLog log) {
        var fileName = file.getFileName().toString();
        if (!fileName.endsWith(SUFFIX) || !Files.isRegularFile(file)) {
            return;
        }
        var name = fileName.substring(0, fileName.length() - SUFFIX.length());
        try {
            FrameRules.requirePluginName(name);
        } catch (IllegalArgumentException e) {
            skip(file, e.getMessage(), log);
            return;
        }
        var first = candidates.putIfAbsent(name, file.toAbsolutePath());
        if (first != null) {
            skip(file, "the plugin " + first + " has the same name and comes first", log);
        }
    }

    private static void addPlugin(Map.Entry<String, Future<PluginProbe.Answer>> candidate,
            Path file, List<Plugin> plugins, ServiceLog log) throws InterruptedException {
        try {
            switch (candidate.getValue().get()) {
                case PluginProbe.Refusal refusal -> skip(file, refusal.reason(), log);
                case PluginProbe.Version version when plugins.size() == MAX_PLUGINS ->
                        skip(file, "there are " + MAX_PLUGINS + " plugins already", log);
                case PluginProbe.Version version -> {
                    var info = new PluginInfo(1L << plugins.size(), version.version(),
                            candidate.getKey());
                    plugins.add(new Plugin(file, info));
                    log.info("The plugin %s has id 0x%x and version %s".formatted(file, info.id(),
                            Long.toUnsignedString(info.version())));
                }
            }
        } catch (ExecutionException e) {
            skip(file, "it could not be looked at: " + e.getCause(), log);
        }
    }

    private static void skip(Path file, String reason, ServiceLog log) {
        log.warning("The plugin file " + file + " is skipped: " + reason);
    }

    /** What hosts are told. */
    List<PluginInfo> infos() {
        return plugins.stream().map(Plugin::info).toList();
    }

    /** The ids of all plugins in one. */
    long allIds() {
        return allIds;
    }

    /** The plugins whose bits are in {@code ids}. */
    List<Plugin> of(long ids) {
        return plugins.stream().filter(plugin -> (plugin.info().id() & ids) != 0)
                .collect(Collectors.toUnmodifiableList());
    }
}
