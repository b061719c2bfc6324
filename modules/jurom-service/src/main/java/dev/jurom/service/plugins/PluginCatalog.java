// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.runtime.internal.ThreadEnd;
import dev.jurom.service.files.FileStamps;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.status.OfferedPlugin;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that the service offers. Each has one bit as its id for the life of the service, in the order of
 * discovery. A file with a known name and version is another build of the plugin and has the same bit; another
 * version has another bit, since hosts compare versions when they connect, and so has one that differs in its use of
 * UCX, since hosts may lack the right to it. This class is immutable: another
 * scan returns a new catalog.
 */
public final class PluginCatalog {

    /** Maximum number of plugins: the two highest bits stay free. */
    static final int MAX_PLUGINS = 62;

    private static final int PARALLEL_PROBES = 4;

    private final List<Plugin> plugins;
    /** The plugin that was last offered under each name, even if it no longer is. */
    private final Map<String, Plugin> known;
    /** Files that are not plugins, which are not probed again while they are unchanged. */
    private final Set<PluginFiles.Candidate> refused;

    private final int bitsGiven;

    private PluginCatalog(
            List<Plugin> plugins, Map<String, Plugin> known, Set<PluginFiles.Candidate> refused, int bitsGiven) {
        this.plugins = List.copyOf(plugins);
        this.known = Map.copyOf(known);
        this.refused = Set.copyOf(refused);
        this.bitsGiven = bitsGiven;
    }

    /** {@return a catalog without plugins} */
    public static PluginCatalog empty() {
        return new PluginCatalog(List.of(), Map.of(), Set.of(), 0);
    }

    /**
     * {@return this catalog without its record of files that are not plugins}, so that the next scan probes them
     * again.
     */
    public PluginCatalog withoutRefusals() {
        return new PluginCatalog(plugins, known, Set.of(), bitsGiven);
    }

    /**
     * Scans for plugins, and logs a warning with the reason for each file that is not one. Blocks until new and
     * changed files are probed.
     *
     * @param files finds the files
     * @param stamps receives the attributes on which the result depends
     * @param probe determines the version of each plugin
     * @param log receives warnings, and the changes
     * @return the new catalog
     * @throws InterruptedException if the thread is interrupted while it waits; running probes are ended then
     */
    public PluginCatalog rescan(PluginFiles files, FileStamps stamps, PluginProbe probe, ServiceLog log)
            throws InterruptedException {
        var candidates = files.find(stamps);
        var started = new ConcurrentLinkedQueue<Thread>();
        var factory = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("urom-probe-", 0)
                .factory();
        var threads = Executors.newFixedThreadPool(PARALLEL_PROBES, task -> {
            var thread = factory.newThread(task);
            started.add(thread);
            return thread;
        });
        try {
            var answers = new HashMap<PluginFiles.Candidate, Future<PluginProbe.Answer>>();
            candidates.stream()
                    .filter(this::isNew)
                    .forEach(candidate -> answers.put(candidate, threads.submit((Callable<PluginProbe.Answer>)
                            () -> probe.probe(candidate.file()))));
            var found = new Found(files, stamps, log);
            for (var candidate : candidates) {
                found.add(candidate, answers.get(candidate));
            }
            return found.catalog();
        } finally {
            threads.shutdownNow();
            started.forEach(ThreadEnd::await); // shutdownNow() interrupts them, which ends the probes
        }
    }

    private boolean isNew(PluginFiles.Candidate candidate) {
        var before = known.get(candidate.name());
        return !refused.contains(candidate)
                && (before == null
                        || !before.content().equals(candidate.content())
                        || !before.files().isCurrent());
    }

    /** The result of one scan, filled plugin by plugin. */
    private final class Found {

        private final PluginFiles files;
        private final FileStamps stamps;
        private final ServiceLog log;
        private final boolean settled;
        private final List<Plugin> offered = new ArrayList<>();
        private final Map<String, Plugin> all = new HashMap<>(known);
        private final Set<PluginFiles.Candidate> rejected = new HashSet<>();
        private int bits = bitsGiven;

        /** Begins a scan. It records no refusals while files change, since a copy may be unfinished. */
        Found(PluginFiles files, FileStamps stamps, ServiceLog log) {
            this.files = files;
            this.stamps = stamps;
            this.log = log;
            this.settled = stamps.isSettled();
        }

        /** Adds a candidate; a null answer means that it was offered or refused before. */
        void add(PluginFiles.Candidate candidate, @Nullable Future<PluginProbe.Answer> answer)
                throws InterruptedException {
            if (refused.contains(candidate)) {
                rejected.add(candidate);
                return;
            }
            try {
                if (answer == null) {
                    offerAgain(candidate);
                    return;
                }
                switch (answer.get()) {
                    case PluginProbe.Refusal refusal -> refuse(candidate, refusal.reason());
                    case PluginProbe.Version version
                    when isVersion(candidate, version) -> offerBuild(candidate, version);
                    case PluginProbe.Version version
                    when bits == MAX_PLUGINS ->
                        refuse(
                                candidate,
                                "there are " + MAX_PLUGINS
                                        + " plugins already, including plugins that were replaced since"
                                        + " the service started");
                    case PluginProbe.Version version -> offerNew(candidate, version);
                }
            } catch (ExecutionException e) {
                PluginFiles.skip(candidate.file(), "it could not be checked: " + e.getCause(), log);
            } catch (IOException e) { // another search examines it again
                PluginFiles.skip(candidate.file(), String.valueOf(e.getMessage()), log);
            }
        }

        private void refuse(PluginFiles.Candidate candidate, String reason) {
            PluginFiles.skip(candidate.file(), reason, log);
            if (settled) {
                rejected.add(candidate);
            }
        }

        private boolean isVersion(PluginFiles.Candidate candidate, PluginProbe.Version version) {
            var before = all.get(candidate.name());
            return before != null
                    && before.info().version() == version.version()
                    && before.usesUcx() == version.usesUcx();
        }

        private void offerBuild(PluginFiles.Candidate candidate, PluginProbe.Version version) throws IOException {
            var before = Objects.requireNonNull(all.get(candidate.name()));
            var next = new Plugin(
                    candidate.file(),
                    candidate.content(),
                    files.examine(version.files(), stamps),
                    before.info(),
                    before.usesUcx());
            offer(next);
            if (!next.content().equals(before.content())
                    || !next.files().contents().equals(before.files().contents())) {
                log.info("The plugin " + candidate.file() + " has changed: new workers load it");
            }
        }

        private void offerAgain(PluginFiles.Candidate candidate) throws IOException {
            var before = all.get(candidate.name());
            if (before != null) {
                var again = files.examine(List.copyOf(before.files().contents().keySet()), stamps);
                offer(new Plugin(candidate.file(), candidate.content(), again, before.info(), before.usesUcx()));
            }
        }

        private void offerNew(PluginFiles.Candidate candidate, PluginProbe.Version version) throws IOException {
            var examined = files.examine(version.files(), stamps);
            var info = new PluginInfo(1L << bits++, version.version(), candidate.name());
            offer(new Plugin(candidate.file(), candidate.content(), examined, info, version.usesUcx()));
            log.info("The plugin %s has id 0x%x and version %s"
                    .formatted(candidate.file(), info.id(), Long.toUnsignedString(info.version())));
        }

        private void offer(Plugin plugin) {
            offered.add(plugin);
            all.put(plugin.info().name(), plugin);
        }

        PluginCatalog catalog() {
            return new PluginCatalog(offered, all, rejected, bits);
        }
    }

    /** {@return the descriptions of all plugins, in the order of the files} */
    public List<PluginInfo> infos() {
        return infos(plugin -> true);
    }

    /**
     * Returns the descriptions that a host receives.
     *
     * @param allowed whether the host may use a plugin
     * @return the descriptions, in the order of the files
     */
    public List<PluginInfo> infos(Predicate<Plugin> allowed) {
        return plugins.stream().filter(allowed).map(Plugin::info).toList();
    }

    /** {@return the plugins for the service's status, in the order of the files} */
    public List<OfferedPlugin> offered() {
        return plugins.stream()
                .map(plugin -> new OfferedPlugin(
                        plugin.info().id(),
                        plugin.info().version(),
                        plugin.info().name(),
                        plugin.file()))
                .toList();
    }

    /** {@return the ids of all plugins, combined by OR} */
    public long allIds() {
        return ids(plugins);
    }

    /**
     * Combines the ids of plugins.
     *
     * @param plugins the plugins
     * @return their ids, combined by OR
     */
    public static long ids(Collection<Plugin> plugins) {
        return plugins.stream().mapToLong(plugin -> plugin.info().id()).reduce(0, (a, b) -> a | b);
    }

    /**
     * Selects plugins by their ids.
     *
     * @param ids the ids, combined by OR; bits of no plugin are ignored
     * @return the plugins
     */
    public List<Plugin> of(long ids) {
        return plugins.stream()
                .filter(plugin -> (plugin.info().id() & ids) != 0)
                .collect(Collectors.toUnmodifiableList());
    }
}
