// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.FileAccess;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import dev.jurom.service.linux.RunningProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The running services that this process's user may read: its own; for root, those of all users; for another user, also
 * services of all users, but with only that user's workers. An unreadable service does not affect the others.
 * This class is immutable.
 */
public final class VisibleServices {

    private final List<ServiceStatus> running;
    private final SortedMap<Integer, Integer> unreadable;

    /**
     * Creates a result.
     *
     * @param running the services whose status could be read, the oldest first
     * @param unreadable the number of other services by user id
     */
    public VisibleServices(List<ServiceStatus> running, SortedMap<Integer, Integer> unreadable) {
        this.running = List.copyOf(running);
        this.unreadable = Collections.unmodifiableSortedMap(unreadable);
    }

    /**
     * Reads the status of all services. Blocks for at most 5 s for each service of all users that does not answer.
     *
     * @return the services
     * @throws UncheckedIOException if this user's services cannot be listed
     */
    public static VisibleServices find() {
        return read(directories(Credentials.ofThisProcess()), OptionalLong.empty());
    }

    /**
     * Reads the status of the service of one process. Reads no service of another user, and ignores other services of the
     * same user. Blocks for at most 5 s if the service does not answer.
     *
     * @param process the process id
     * @return at most one service, or one that is unreadable
     * @throws UncheckedIOException if this user's services cannot be listed
     */
    public static VisibleServices ofProcess(long process) {
        var own = Credentials.ofThisProcess();
        var user = RunningProcess.of(process).map(RunningProcess::userId);
        return read(directories(own).filter(directory -> owner(directory).equals(user)), OptionalLong.of(process));
    }

    /** Reads the services of this process's user, including embedded ones. */
    static VisibleServices findOwn() {
        return read(ownDirectories(Credentials.ofThisProcess()).stream(), OptionalLong.empty());
    }

    /**
     * Returns the services whose status could be read.
     *
     * @return an unmodifiable list, the oldest first
     */
    public List<ServiceStatus> running() {
        return running;
    }

    /**
     * Returns the number of services whose status could not be read, for example because their release is not
     * compatible.
     *
     * @return an unmodifiable map from the id of the user to the number of services of that user
     */
    public SortedMap<Integer, Integer> unreadable() {
        return unreadable;
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

    private static Stream<Path> directories(Credentials own) {
        return Stream.concat(ownDirectories(own).stream(), RuntimeDirectory.servicesOfOthers(own).stream());
    }

    private static VisibleServices read(Stream<Path> directories, OptionalLong process) {
        var found = new ArrayList<ServiceStatus>();
        var unreadable = new TreeMap<Integer, Integer>();
        directories.forEach(directory -> {
            try {
                ServiceStatus.read(directory, process)
                        .filter(ServiceStatus::isAlive)
                        .ifPresent(found::add);
            } catch (IOException e) {
                owner(directory).ifPresent(user -> unreadable.merge(user, 1, Integer::sum));
            }
        });
        found.sort(Comparator.comparing(ServiceStatus::started));
        return new VisibleServices(found, unreadable);
    }

    /** Returns the user id of a service; empty if the service has ended. */
    private static Optional<Integer> owner(Path directory) {
        try {
            return Optional.of(FileAccess.of(directory, NOFOLLOW_LINKS).owner());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
