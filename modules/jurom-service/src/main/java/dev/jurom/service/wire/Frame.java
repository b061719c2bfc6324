// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message that the service receives from hosts and workers or sends to them; {@code docs/wire.md} describes the
 * layouts. Frames between hosts and workers exist only in C.
 *
 * <p>Numbers of 32 bits are unsigned in an {@code int}. A record rejects values that its frame cannot carry
 * with an {@link IllegalArgumentException}, so that every frame within its limit of length can be encoded. The
 * equivalent in C is {@code struct wire_frame}.
 */
public sealed interface Frame {

    /** A frame that the service receives and decodes. */
    sealed interface Incoming extends Frame {}

    /** A frame that the service encodes and sends. */
    sealed interface Outgoing extends Frame {}

    /**
     * Returns the request id, which the requesting side chooses and every answer repeats.
     *
     * @return any number
     */
    long requestId();

    /**
     * Sent by a host to begin a connection.
     *
     * @param requestId chosen by the requesting side
     * @param maxMessageSize bytes of the largest message, headers included
     * @param release the host's release of jurom, for diagnostics: 1 to 15 bytes
     */
    record Hello(long requestId, int maxMessageSize, String release) implements Incoming {
        /** Rejects values that the frame cannot carry. */
        public Hello {
            FrameRules.requireRelease(release);
        }
    }

    /**
     * The capabilities of the service.
     *
     * @param requestId chosen by the requesting side
     * @param maxMessageSize bytes of the largest message, headers included
     * @param coreCount the number of cores of the device
     * @param cpuSet the CPUs that workers may use
     * @param plugins the offered plugins
     */
    record Welcome(long requestId, int maxMessageSize, int coreCount, CpuSet cpuSet, List<PluginInfo> plugins)
            implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Welcome {
            plugins = List.copyOf(plugins);
            plugins.forEach(plugin -> FrameRules.requirePluginName(plugin.name()));
        }
    }

    /**
     * The failure of a request.
     *
     * @param requestId chosen by the requesting side
     * @param error any value except {@code SUCCESS}
     * @param text a sentence, or empty
     */
    record Failure(long requestId, DocaError error, String text) implements Incoming, Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Failure {
            if (error.isSuccess()) {
                throw new IllegalArgumentException("an ERROR cannot have the status SUCCESS");
            }
            FrameRules.requireText("text", text);
        }
    }

    /**
     * The host requests a worker: a new one, or another reference on a running one.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the requested id, or the value for a new id
     * @param plugins the bits of the plugins' ids, combined
     * @param group the group's id, if there is one
     * @param cpuSet the CPUs that the worker may use, if they are limited
     * @param environment strings {@code NAME=value}
     */
    record Spawn(
            long requestId,
            long workerId,
            long plugins,
            OptionalInt group,
            Optional<CpuSet> cpuSet,
            List<String> environment)
            implements Incoming {
        /** Rejects values that the frame cannot carry. */
        public Spawn {
            environment = List.copyOf(environment);
            environment.forEach(FrameRules::requireVariable);
        }

        /**
         * Creates a request without a group, a CPU set or an environment.
         *
         * @param requestId chosen by the requesting side
         * @param workerId the requested id, or the value for a new id
         * @param plugins the bits of the plugins' ids, combined
         * @return the request
         */
        public static Spawn of(long requestId, long workerId, long plugins) {
            return new Spawn(requestId, workerId, plugins, OptionalInt.empty(), Optional.empty(), List.of());
        }

        /**
         * Returns a copy with another group.
         *
         * @param other the group's id, if there is one
         * @return the copy
         */
        public Spawn withGroup(OptionalInt other) {
            return new Spawn(requestId, workerId, plugins, other, cpuSet, environment);
        }

        /**
         * Returns a copy with another CPU set.
         *
         * @param other the CPUs that the worker may use, if they are limited
         * @return the copy
         */
        public Spawn withCpuSet(Optional<CpuSet> other) {
            return new Spawn(requestId, workerId, plugins, group, other, environment);
        }

        /**
         * Returns a copy with another environment.
         *
         * @param other strings {@code NAME=value}
         * @return the copy
         */
        public Spawn withEnvironment(List<String> other) {
            return new Spawn(requestId, workerId, plugins, group, cpuSet, other);
        }

        /** Omits the environment, which may contain secrets. */
        @Override
        public String toString() {
            return "Spawn[requestId=%d, workerId=%d, plugins=%d, group=%s, cpuSet=%s, %d variables]"
                    .formatted(requestId, workerId, plugins, group, cpuSet, environment.size());
        }
    }

    /**
     * A worker is ready. Its address is {@code unix:PATH}, or {@code tcp:PORT} at the IP address of the
     * service.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the worker's id
     * @param processId the process id of the worker on its machine
     * @param newProcess whether it was started for this host
     * @param group the group's id, if there is one
     * @param offersUcx whether the host may choose UCX for its commands
     * @param ticket admits the host once
     * @param address the address at which the worker listens
     */
    record Spawned(
            long requestId,
            long workerId,
            int processId,
            boolean newProcess,
            OptionalInt group,
            boolean offersUcx,
            Ticket ticket,
            String address)
            implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Spawned {
            Objects.requireNonNull(ticket);
            FrameRules.requireAddress(address);
        }
    }

    /**
     * The host releases one reference on a worker.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the worker's id
     */
    record Release(long requestId, long workerId) implements Incoming {}

    /**
     * The reference is released.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the worker's id
     */
    record Released(long requestId, long workerId) implements Outgoing {}

    /**
     * A worker has ended.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the worker's id
     * @param exitStatus its exit code, or 128 plus the signal
     * @param unresponsive whether the service killed it because it did not answer
     * @param text the reason as a sentence, or empty
     */
    record WorkerGone(long requestId, long workerId, int exitStatus, boolean unresponsive, String text)
            implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public WorkerGone {
            FrameRules.requireText("text", text);
        }
    }

    /**
     * The host requests the workers of a group.
     *
     * @param requestId chosen by the requesting side
     * @param group the group's id
     */
    record GetGroup(long requestId, int group) implements Incoming {}

    /**
     * The workers of a group.
     *
     * @param requestId chosen by the requesting side
     * @param workerIds the ids of the workers that are ready
     */
    record Group(long requestId, List<Long> workerIds) implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Group {
            workerIds = List.copyOf(workerIds);
        }
    }

    /**
     * The service instructs the process that the launcher has forked how to become a worker.
     *
     * @param requestId chosen by the requesting side
     * @param user the user to which the process switches, if any
     * @param capabilities the capabilities that the process may keep, as bits
     * @param limits hard limits by number of the resource, at most 16; all bits: none
     * @param socketPath the path at which it listens, if it does: absolute, at most 106 bytes
     * @param cgroup the directories of the cgroups that it joins, if any: absolute, and separated by line breaks,
     *        which the kernel does not allow in their names
     * @param environment the whole environment of the worker
     */
    record Launch(
            long requestId,
            Optional<User> user,
            long capabilities,
            List<Long> limits,
            Optional<String> socketPath,
            Optional<String> cgroup,
            List<String> environment)
            implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Launch {
            Objects.requireNonNull(user);
            socketPath.ifPresent(FrameRules::requireSocketPath);
            cgroup.ifPresent(path -> FrameRules.requirePath("cgroup", path));
            limits = List.copyOf(limits);
            FrameRules.requireLimits(limits.size());
            environment = List.copyOf(environment);
            environment.forEach(FrameRules::requireVariable);
        }

        /**
         * Creates an instruction that changes nothing and gives no environment.
         *
         * @param requestId chosen by the requesting side
         * @param capabilities the capabilities that the process may keep, as bits
         * @return the instruction
         */
        public static Launch of(long requestId, long capabilities) {
            return new Launch(
                    requestId,
                    Optional.empty(),
                    capabilities,
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
        }

        /**
         * Returns a copy with another user.
         *
         * @param other the user to which the process switches, if any
         * @return the copy
         */
        public Launch withUser(Optional<User> other) {
            return new Launch(requestId, other, capabilities, limits, socketPath, cgroup, environment);
        }

        /**
         * Returns a copy with other limits.
         *
         * @param other hard limits by number of the resource
         * @return the copy
         */
        public Launch withLimits(List<Long> other) {
            return new Launch(requestId, user, capabilities, other, socketPath, cgroup, environment);
        }

        /**
         * Returns a copy with another path of the socket.
         *
         * @param other the path at which the process listens, if it does
         * @return the copy
         */
        public Launch withSocketPath(Optional<String> other) {
            return new Launch(requestId, user, capabilities, limits, other, cgroup, environment);
        }

        /**
         * Returns a copy with other cgroups.
         *
         * @param other the directories of the cgroups that the process joins, if any
         * @return the copy
         */
        public Launch withCgroup(Optional<String> other) {
            return new Launch(requestId, user, capabilities, limits, socketPath, other, environment);
        }

        /**
         * Returns a copy with another environment.
         *
         * @param other the whole environment of the worker
         * @return the copy
         */
        public Launch withEnvironment(List<String> other) {
            return new Launch(requestId, user, capabilities, limits, socketPath, cgroup, other);
        }

        /** Omits the environment, which may contain secrets. */
        @Override
        public String toString() {
            return "Launch[requestId=%d, user=%s, socketPath=%s, %d variables]"
                    .formatted(requestId, user, socketPath, environment.size());
        }
    }

    /**
     * The user as which a worker runs.
     *
     * @param userId the kernel's id of the user
     * @param groupId the kernel's id of the group
     */
    record User(int userId, int groupId) {}

    /**
     * The service configures a new worker.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the worker's id
     * @param maxMessageSize bytes of the largest message, headers included
     * @param cpuSet the CPUs that the worker may use, if they are limited
     */
    record Configure(long requestId, long workerId, int maxMessageSize, Optional<CpuSet> cpuSet) implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Configure {
            Objects.requireNonNull(cpuSet);
        }
    }

    /**
     * A new worker has loaded its plugins and listens.
     *
     * @param requestId chosen by the requesting side
     * @param processId the process id of the worker on its machine
     */
    record Ready(long requestId, int processId) implements Incoming {}

    /**
     * The service announces a host to a worker: the frame TICKET. A worker that must listen on TCP for the host
     * answers with {@link Listening}.
     *
     * @param requestId chosen by the requesting side
     * @param ticket admits the host once
     * @param session the service's number of the host's session
     * @param lifetimeMillis the time for which the ticket is valid, in milliseconds
     * @param binding the TCP address to listen at, if the host is on another machine
     */
    record Admit(long requestId, Ticket ticket, long session, int lifetimeMillis, Optional<Binding> binding)
            implements Outgoing {
        /** Rejects values that the frame cannot carry. */
        public Admit {
            Objects.requireNonNull(ticket);
            Objects.requireNonNull(binding);
        }
    }

    /**
     * The worker listens on TCP for the host of a ticket.
     *
     * @param requestId chosen by the requesting side
     * @param port 1 to 65535
     */
    record Listening(long requestId, int port) implements Incoming {
        /** Rejects values that the frame cannot carry. */
        public Listening {
            FrameRules.requirePort(port);
        }
    }

    /**
     * The tickets and connections of a session end.
     *
     * @param requestId chosen by the requesting side
     * @param session the service's number of the host's session
     */
    record HostGone(long requestId, long session) implements Outgoing {}

    /**
     * The service checks that a worker still answers.
     *
     * @param requestId chosen by the requesting side
     */
    record Ping(long requestId) implements Outgoing {}

    /**
     * The worker answers a {@link Ping}.
     *
     * @param requestId chosen by the requesting side
     */
    record Pong(long requestId) implements Incoming {}

    /**
     * Instructs a worker to publish finished work and exit.
     *
     * @param requestId chosen by the requesting side
     */
    record Drain(long requestId) implements Outgoing {}
}
