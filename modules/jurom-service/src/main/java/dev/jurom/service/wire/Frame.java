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
 * A message between hosts, the service and its workers; {@code docs/wire.md} describes the layouts.
 *
 * <p>Numbers of 32 bits are unsigned in an {@code int}. A record rejects values that its frame cannot carry
 * with an {@link IllegalArgumentException}, so that every frame within its limit of length can be encoded. The
 * equivalent in C is {@code struct wire_frame}.
 */
public sealed interface Frame {

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
    record Hello(long requestId, int maxMessageSize, String release) implements Frame {
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
            implements Frame {
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
    record Failure(long requestId, DocaError error, String text) implements Frame {
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
            implements Frame {
        /** Rejects values that the frame cannot carry. */
        public Spawn {
            environment = List.copyOf(environment);
            environment.forEach(FrameRules::requireVariable);
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
            implements Frame {
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
    record Release(long requestId, long workerId) implements Frame {}

    /**
     * The reference is released.
     *
     * @param requestId chosen by the requesting side
     * @param workerId the worker's id
     */
    record Released(long requestId, long workerId) implements Frame {}

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
            implements Frame {
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
    record GetGroup(long requestId, int group) implements Frame {}

    /**
     * The workers of a group.
     *
     * @param requestId chosen by the requesting side
     * @param workerIds the ids of the workers that are ready
     */
    record Group(long requestId, List<Long> workerIds) implements Frame {
        /** Rejects values that the frame cannot carry. */
        public Group {
            workerIds = List.copyOf(workerIds);
        }
    }

    /**
     * The service instructs the first stage of a worker how to start the second.
     *
     * @param requestId chosen by the requesting side
     * @param user the user to which the process switches, if any
     * @param capabilities the capabilities that the process may keep, as bits
     * @param limits hard limits by number of the resource, at most 16; all bits: none
     * @param socketPath the path at which it listens, if it does: absolute, at most 106 bytes
     * @param cgroup the directories of the cgroups that it joins, if any: absolute, and separated by line breaks,
     *        which the kernel does not allow in their names
     * @param environment the whole environment of the second stage
     */
    record Launch(
            long requestId,
            Optional<User> user,
            long capabilities,
            List<Long> limits,
            Optional<String> socketPath,
            Optional<String> cgroup,
            List<String> environment)
            implements Frame {
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
    record Configure(long requestId, long workerId, int maxMessageSize, Optional<CpuSet> cpuSet) implements Frame {
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
    record Ready(long requestId, int processId) implements Frame {}

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
            implements Frame {
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
    record Listening(long requestId, int port) implements Frame {
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
    record HostGone(long requestId, long session) implements Frame {}

    /**
     * The service checks that a worker still answers.
     *
     * @param requestId chosen by the requesting side
     */
    record Ping(long requestId) implements Frame {}

    /**
     * The worker answers a {@link Ping}.
     *
     * @param requestId chosen by the requesting side
     */
    record Pong(long requestId) implements Frame {}

    /**
     * Instructs a worker to publish finished work and exit.
     *
     * @param requestId chosen by the requesting side
     */
    record Drain(long requestId) implements Frame {}

    /**
     * A host connects to a worker.
     *
     * @param requestId chosen by the requesting side
     * @param maxTasks maximum number of commands that the host has in flight
     */
    record Attach(long requestId, int maxTasks) implements Frame {}

    /**
     * The worker accepts the host.
     *
     * @param requestId chosen by the requesting side
     * @param connection a serial number of the worker
     * @param plugins the address of each plugin
     */
    record Attached(long requestId, long connection, List<PluginAddress> plugins) implements Frame {
        /** Rejects values that the frame cannot carry. */
        public Attached {
            plugins = List.copyOf(plugins);
        }
    }

    /**
     * The address that a plugin has for its peers, which may be empty.
     *
     * @param plugin the plugin's id
     * @param address the bytes that the plugin returned
     */
    record PluginAddress(long plugin, Bytes address) {}

    /**
     * A command for a plugin.
     *
     * @param requestId chosen by the requesting side
     * @param plugin the plugin's id
     * @param payload the data in the plugin's own format
     */
    record Command(long requestId, long plugin, Bytes payload) implements Frame {}

    /**
     * A plugin's answer.
     *
     * @param requestId chosen by the requesting side
     * @param status the number that the plugin returned
     * @param payload the data in the plugin's own format
     */
    record Notification(long requestId, int status, Bytes payload) implements Frame {}

    /**
     * A host disconnects from a worker.
     *
     * @param requestId chosen by the requesting side
     */
    record Detach(long requestId) implements Frame {}

    /**
     * The worker confirms that the host disconnects.
     *
     * @param requestId chosen by the requesting side
     */
    record Detached(long requestId) implements Frame {}

    /**
     * The host sends a worker its domain.
     *
     * @param requestId chosen by the requesting side
     * @param table the members of the domain, in the format of {@code docs/wire.md}
     */
    record Domain(long requestId, Bytes table) implements Frame {}

    /**
     * The worker has received the domain.
     *
     * @param requestId chosen by the requesting side
     */
    record DomainReady(long requestId) implements Frame {}
}
