// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.host.RunService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * What the processes of a crew have before a run, and what is more than that after it: processes,
 * descriptors, files. What goes away by itself is given time.
 */
final class LeftOvers {

    /** What is said of files begins with it. */
    static final String FILES = "files: ";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final String LIFE = "/life"; // a file that a service has open in its directory

    private final Crew crew;
    private final int serviceDescriptors;
    private final int hostDescriptors;
    private final TreeSet<String> files;

    private LeftOvers(Crew crew, int serviceDescriptors, int hostDescriptors) {
        this.crew = crew;
        this.serviceDescriptors = serviceDescriptors;
        this.hostDescriptors = hostDescriptors;
        files = files(crew);
    }

    /** Remembers what there is now. */
    static LeftOvers before(Crew crew) {
        return new LeftOvers(
                crew,
                ProcessFacts.descriptors(crew.service().id()).size(),
                ProcessFacts.descriptors(crew.javaHosts().id()).size());
    }

    /** The same for a crew that has done nothing yet: it is to open what it keeps open. */
    static LeftOvers beforeFirstRun(Crew crew) {
        return new LeftOvers(crew, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Waits until the workers of the last run have left. */
    static void awaitNoWorkers(Crew crew) {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (!ProcessFacts.children(crew.service().id()).isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(FIRST_PAUSE_NANOS);
        }
    }

    /**
     * What is there that was not before, when it had time to go.
     *
     * @param nudge done before each look
     * @param filesMayStay whether files are not waited for
     */
    List<String> find(Runnable nudge, BooleanSupplier filesMayStay) {
        var end = System.nanoTime() + PATIENCE.toNanos();
        var pause = FIRST_PAUSE_NANOS;
        while (true) {
            nudge.run();
            var found = look();
            if (found.isEmpty()
                    || System.nanoTime() > end
                    || filesMayStay.getAsBoolean() && found.stream().allMatch(what -> what.startsWith(FILES))) {
                return found;
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    private List<String> look() {
        var found = new ArrayList<String>();
        var workers = ProcessFacts.children(crew.service().id());
        if (!workers.isEmpty()) {
            found.add("workers that nobody has: " + workers);
            return found; // what they have is theirs
        }
        compare("the service", crew.service().id(), serviceDescriptors, found);
        compare("the Java hosts", crew.javaHosts().id(), hostDescriptors, found);
        var more = files(crew);
        more.removeAll(files);
        if (!more.isEmpty()) {
            found.add(FILES + more);
        }
        return found;
    }

    private static void compare(String who, long process, int before, List<String> found) {
        var now = ProcessFacts.descriptors(process);
        if (now.size() > before) {
            found.add("descriptors of " + who + ": " + now.size() + " instead of " + before + ", " + counted(now));
        }
    }

    /** How many of each kind. */
    static Map<String, Long> counted(List<String> descriptors) {
        return descriptors.stream()
                .map(name -> name.replaceAll("[0-9]+", "N"))
                .collect(Collectors.groupingBy(name -> name, HashMap::new, Collectors.counting()));
    }

    /** The files of the job and those of its service, but for logs. */
    private static TreeSet<String> files(Crew crew) {
        var found = new TreeSet<String>();
        list(crew.directory(), found);
        serviceDirectory(crew).forEach(directory -> list(directory, found));
        found.remove(crew.directory().resolve(RunService.LOGS).toString());
        return found;
    }

    /** Where its service has its own files; empty if it has gone. */
    static List<Path> serviceDirectory(Crew crew) {
        return ProcessFacts.descriptors(crew.service().id()).stream()
                .filter(descriptor -> descriptor.endsWith(LIFE))
                .map(descriptor -> Path.of(descriptor).getParent())
                .toList();
    }

    private static void list(Path directory, TreeSet<String> found) {
        try (var entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> found.add(entry.toString()));
        } catch (IOException e) {
            // It has gone: nothing is left in it.
        }
    }
}
