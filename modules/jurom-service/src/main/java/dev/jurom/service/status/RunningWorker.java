// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A worker of a service. Instances are immutable. */
public final class RunningWorker {

    private final long id;
    private final long process;
    private final long processStart;
    private final int userId;
    private final OptionalInt group;
    private final long plugins;
    private final int references;
    private final Instant started;
    private final boolean ready;

    /**
     * Creates a description. For the service; later releases may add parameters.
     *
     * @param id the id of the worker for hosts
     * @param process the id of its process
     * @param processStart the start of its process in clock ticks after boot
     * @param userId the user that owns it
     * @param group its group, if it has one
     * @param plugins the bits of its plugins
     * @param references the number of references that hosts hold
     * @param started the time at which it started
     * @param ready whether it is ready for commands
     */
    public RunningWorker(
            long id,
            long process,
            long processStart,
            int userId,
            OptionalInt group,
            long plugins,
            int references,
            Instant started,
            boolean ready) {
        this.id = id;
        this.process = process;
        this.processStart = processStart;
        this.userId = userId;
        this.group = group;
        this.plugins = plugins;
        this.references = references;
        this.started = started;
        this.ready = ready;
    }

    /**
     * Returns the id of the worker for hosts.
     *
     * @return a number that is unique for each user
     */
    public long id() {
        return id;
    }

    /**
     * Returns the id of its process.
     *
     * @return 0 until the worker is ready
     */
    public long process() {
        return process;
    }

    /**
     * Returns when its process started.
     *
     * @return a number of clock ticks after boot; 0 without a process
     */
    public long processStart() {
        return processStart;
    }

    /**
     * Returns the numeric id of the user as which it runs.
     *
     * @return an unsigned number
     */
    public int userId() {
        return userId;
    }

    /**
     * Returns the group of workers to which it belongs.
     *
     * @return an unsigned number; empty if it has no group
     */
    public OptionalInt group() {
        return group;
    }

    /**
     * Returns the ids of its plugins.
     *
     * @return a bit for each plugin
     */
    public long plugins() {
        return plugins;
    }

    /**
     * Returns the number of contexts of hosts that refer to it.
     *
     * @return 0 or more
     */
    public int references() {
        return references;
    }

    /**
     * Returns when a host requested it.
     *
     * @return a time with a resolution of 1 ms
     */
    public Instant started() {
        return started;
    }

    /**
     * Returns whether it has loaded its plugins and accepts commands.
     *
     * @return false while it starts
     */
    public boolean ready() {
        return ready;
    }

    private List<Object> values() {
        return List.of(id, process, processStart, userId, group, plugins, references, started, ready);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof RunningWorker that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RunningWorker[id=" + id + ", process=" + process + ", processStart=" + processStart + ", userId="
                + userId + ", group=" + group + ", plugins=" + plugins + ", references=" + references + ", started="
                + started + ", ready=" + ready + "]";
    }
}
