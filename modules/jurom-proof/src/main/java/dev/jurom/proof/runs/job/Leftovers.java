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
 * Detects leaks of a run: compares processes, descriptors and files after the run with those before it. Waits
 * for resources that are released asynchronously.
 */
final class Leftovers {

    /** The prefix of messages about files. */
    static final String FILES = "files: ";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final String LIFE = "/life"; // a file that the service keeps open in its directory

    private final RunProcesses processes;
    private final int serviceDescriptors;
    private final int hostDescriptors;
    private final TreeSet<String> files;

    private Leftovers(RunProcesses processes, int serviceDescriptors, int hostDescriptors) {
        this.processes = processes;
        this.serviceDescriptors = serviceDescriptors;
        this.hostDescriptors = hostDescriptors;
        files = files(processes);
    }

    /** Returns a snapshot of the current resources. */
    static Leftovers before(RunProcesses processes) {
        return new Leftovers(
                processes,
                ProcessInfo.descriptors(processes.service().id()).size(),
                ProcessInfo.descriptors(processes.javaHosts().id()).size());
    }

    /**
     * Returns a snapshot of the current files only, for new processes that have not yet opened all permanent
     * descriptors.
     */
    static Leftovers beforeFirstRun(RunProcesses processes) {
        return new Leftovers(processes, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Waits until the workers of the last run have exited. */
    static void awaitNoWorkers(RunProcesses processes) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (!ProcessInfo.workers(processes.service().id()).isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(FIRST_PAUSE_NANOS);
        }
    }

    /**
     * Returns the resources that were not released. Waits at most 30 seconds for their release.
     *
     * @param nudge an action to execute before each check
     * @param filesMayStay returns true if the files cannot be deleted, so that waiting is useless
     */
    List<String> find(Runnable nudge, BooleanSupplier filesMayStay) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        var pause = FIRST_PAUSE_NANOS;
        while (true) {
            nudge.run();
            var found = check();
            if (found.isEmpty()
                    || System.nanoTime() > end
                    || filesMayStay.getAsBoolean() && found.stream().allMatch(resource -> resource.startsWith(FILES))) {
                return found;
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    private List<String> check() {
        var found = new ArrayList<String>();
        var workers = ProcessInfo.workers(processes.service().id());
        if (!workers.isEmpty()) {
            found.add("workers without a host: " + workers);
            return found; // the workers hold the other resources
        }
        compare("the service", processes.service().id(), serviceDescriptors, found);
        compare("the Java hosts", processes.javaHosts().id(), hostDescriptors, found);
        var more = files(processes);
        more.removeAll(files);
        if (!more.isEmpty()) {
            found.add(FILES + more);
        }
        return found;
    }

    private static void compare(String name, long process, int before, List<String> found) {
        var now = ProcessInfo.descriptors(process);
        if (now.size() > before) {
            found.add("descriptors of " + name + ": " + now.size() + " instead of " + before + ", " + counted(now));
        }
    }

    /** Returns the number of descriptors of each kind. */
    static Map<String, Long> counted(List<String> descriptors) {
        return descriptors.stream()
                .map(name -> name.replaceAll("[0-9]+", "N"))
                .collect(Collectors.groupingBy(name -> name, HashMap::new, Collectors.counting()));
    }

    /** Returns the files of the job and of its service, except logs. */
    private static TreeSet<String> files(RunProcesses processes) {
        var found = new TreeSet<String>();
        list(processes.directory(), found);
        serviceDirectory(processes).forEach(directory -> list(directory, found));
        found.remove(processes.directory().resolve(RunService.LOGS).toString());
        return found;
    }

    /** Returns the runtime directory of the service, or an empty list if the service has exited. */
    static List<Path> serviceDirectory(RunProcesses processes) {
        return ProcessInfo.descriptors(processes.service().id()).stream()
                .filter(descriptor -> descriptor.endsWith(LIFE))
                .map(descriptor -> Path.of(descriptor).getParent())
                .toList();
    }

    private static void list(Path directory, TreeSet<String> found) {
        try (var entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> found.add(entry.toString()));
        } catch (IOException e) {
            // The directory was deleted.
        }
    }
}
