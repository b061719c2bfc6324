// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.FileAccess;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The running services that this process's user may read: its own; for root, those of all users; for another user, also
 * services of all users, but with only that user's workers. An unreadable service does not affect the others.
 *
 * @param running the services, the oldest first
 * @param unreadable the number of services by user id whose status cannot be read, for example because their release is
 *        not compatible
 */
public record VisibleServices(List<ServiceStatus> running, SortedMap<Integer, Integer> unreadable) {

    /**
     * Reads the status of all services. Blocks for at most 5 s for each service of all users that does not answer.
     *
     * @return the services
     * @throws UncheckedIOException if this user's services cannot be listed
     */
    public static VisibleServices find() {
        var own = Credentials.ofThisProcess();
        return read(Stream.concat(ownDirectories(own).stream(), RuntimeDirectory.servicesOfOthers(own).stream())
                .toList());
    }

    /** Reads the services of this process's user, including embedded ones. */
    static VisibleServices findOwn() {
        return read(ownDirectories(Credentials.ofThisProcess()));
    }

    private static List<Path> ownDirectories(Credentials own) {
        try {
            var found = new ArrayList<Path>();
            for (var base : RuntimeDirectory.bases(own)) {
                found.addAll(RuntimeDirectory.servicesIn(base));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("The services that run cannot be listed: " + e, e);
        }
    }

    private static VisibleServices read(List<Path> directories) {
        var found = new ArrayList<ServiceStatus>();
        var unreadable = new TreeMap<Integer, Integer>();
        for (var directory : directories) {
            try {
                ServiceStatus.read(directory).filter(ServiceStatus::isAlive).ifPresent(found::add);
            } catch (IOException e) {
                count(directory, unreadable);
            }
        }
        found.sort(Comparator.comparing(ServiceStatus::started));
        return new VisibleServices(List.copyOf(found), unreadable);
    }

    private static void count(Path directory, SortedMap<Integer, Integer> unreadable) {
        try {
            unreadable.merge(FileAccess.of(directory, NOFOLLOW_LINKS).owner(), 1, Integer::sum);
        } catch (IOException e) {
            // The service has ended.
        }
    }
}
