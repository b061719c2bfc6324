// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import dev.jurom.service.linux.RunningProcess;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The counters of a service, its workers and its hosts, for processes that are running.
 *
 * @param files the counters, ordered by kind, number and process
 * @param unreadable a sentence for each file that could not be read
 */
public record CounterDirectory(List<CounterFile> files, List<String> unreadable) {

    /** The suffix of the name of each file. */
    public static final String ENDING = ".counters";

    private static final String OF_HOSTS = "h-*" + ENDING;

    /**
     * Reads the counters of a service, its hosts and its workers. Only the user of the service and
     * root can read those of the service and its hosts; other users do not receive them.
     *
     * @param directory the directory of the service
     * @param workers the workers of the service
     * @return the counters of running processes
     * @throws IOException if the directory cannot be listed
     */
    public static CounterDirectory read(Path directory, List<CountedWorker> workers) throws IOException {
        var files = new ArrayList<CounterFile>();
        var unreadable = new ArrayList<String>();
        try (var paths = Files.newDirectoryStream(directory, "*" + ENDING)) {
            for (var path : paths) {
                read(path, files, unreadable);
            }
        } catch (AccessDeniedException e) {
            // This user may read only the counters of its own workers.
        }
        var user = (Integer) Files.getAttribute(directory, "unix:uid");
        for (var worker : workers) {
            read(worker, user, files, unreadable);
        }
        files.sort(Comparator.comparing(CounterFile::kind)
                .thenComparing(CounterFile::number)
                .thenComparing(CounterFile::process));
        return new CounterDirectory(List.copyOf(files), List.copyOf(unreadable));
    }

    private static void read(Path path, List<CounterFile> files, List<String> unreadable) {
        try {
            var file = CounterFile.read(path);
            if (file.isAlive()) {
                files.add(file);
            }
        } catch (NoSuchFileException e) {
            // Its process has just ended, or has not counted yet.
        } catch (IOException e) {
            unreadable.add(String.valueOf(e.getMessage()));
        }
    }

    /** Reads a worker; reports a running one without counters, which it may have hidden. */
    private static void read(CountedWorker worker, int user, List<CounterFile> files, List<String> unreadable) {
        try {
            files.add(CounterFile.ofWorker(worker, user));
        } catch (IOException e) {
            if (worker.isAlive()) {
                unreadable.add("The counters of worker " + Long.toUnsignedString(worker.number()) + " cannot be read: "
                        + (e instanceof NoSuchFileException ? "it has none" : e.getMessage()));
            }
        }
    }

    /**
     * Removes the files of hosts that have exited without removing them.
     *
     * @param directory the directory of a service
     * @throws IOException if the directory cannot be listed
     */
    public static void sweepHosts(Path directory) throws IOException {
        try (var paths = Files.newDirectoryStream(directory, OF_HOSTS)) {
            for (var path : paths) {
                var process = path.getFileName().toString().split("-")[1];
                if (process.matches("[0-9]{1,10}")
                        && RunningProcess.of(Long.parseLong(process)).isEmpty()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
