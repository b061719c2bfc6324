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
 * What hosts, the service and its workers tell each other; {@code docs/wire.md} has the layouts.
 *
 * <p>Numbers of 32 bits are unsigned in an {@code int}. A record refuses values that its frame
 * cannot carry with an {@link IllegalArgumentException}, so that every frame can be encoded as long
 * as it is not over its limit of length. Its twin in C is {@code struct wire_frame}.
 */
public sealed interface Frame {

    /**
     * Chosen by the side that asks, returned by every answer.
     *
     * @return any number
     */
    long requestId();

    /**
     * A host begins a connection.
     *
     * @param requestId chosen by the side that asks
     * @param maxMessageSize bytes of the largest message, headers included
     * @param release of jurom that the host has, for people: 1 to 15 bytes
     */
    record Hello(long requestId, int maxMessageSize, String release) implements Frame {
        /** Refuses what the frame cannot carry. */
        public Hello {
            FrameRules.requireRelease(release);
        }
    }

    /**
     * What the service offers.
     *
     * @param requestId chosen by the side that asks
     * @param maxMessageSize bytes of the largest message, headers included
     * @param coreCount how many cores the device has
     * @param cpuSet those that workers may be given
     * @param plugins those that are offered
     */
    record Welcome(long requestId, int maxMessageSize, int coreCount, CpuSet cpuSet, List<PluginInfo> plugins)
            implements Frame {
        /** Refuses what the frame cannot carry. */
        public Welcome {
            plugins = List.copyOf(plugins);
            plugins.forEach(plugin -> FrameRules.requirePluginName(plugin.name()));
        }
    }

    /**
     * What was asked for did not work.
     *
     * @param requestId chosen by the side that asks
     * @param error anything but {@code SUCCESS}
     * @param text a sentence, or nothing
     */
    record Failure(long requestId, DocaError error, String text) implements Frame {
        /** Refuses what the frame cannot carry. */
        public Failure {
            if (error.isSuccess()) {
                throw new IllegalArgumentException("an ERROR cannot have the status SUCCESS");
            }
            FrameRules.requireText("text", text);
        }
    }

    /**
     * The host wants a worker: a new one, or one more reference on one that runs.
     *
     * @param requestId chosen by the side that asks
     * @param workerId the id that is wanted, or that for a fresh one
     * @param plugins a bit for the id of each
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
        /** Refuses what the frame cannot carry. */
        public Spawn {
            environment = List.copyOf(environment);
            environment.forEach(FrameRules::requireVariable);
        }

        /** Not what is in the environment: it may hold secrets. */
        @Override
        public String toString() {
            return "Spawn[requestId=%d, workerId=%d, plugins=%d, group=%s, cpuSet=%s, %d variables]"
                    .formatted(requestId, workerId, plugins, group, cpuSet, environment.size());
        }
    }

    /**
     * A worker is ready. Its address is {@code unix:PATH}, or {@code tcp:PORT} at the IP address of
     * the service.
     *
     * @param requestId chosen by the side that asks
     * @param workerId the worker's id
     * @param processId of the worker, as its machine counts
     * @param newProcess whether it was started for this host
     * @param group the group's id, if there is one
     * @param offersUcx whether the host may choose UCX for its commands
     * @param ticket admits the host, once
     * @param address where the worker listens
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
        /** Refuses what the frame cannot carry. */
        public Spawned {
            Objects.requireNonNull(ticket);
            FrameRules.requireAddress(address);
        }
    }

    /**
     * The host gives up one reference on a worker.
     *
     * @param requestId chosen by the side that asks
     * @param workerId the worker's id
     */
    record Release(long requestId, long workerId) implements Frame {}

    /**
     * The reference is gone.
     *
     * @param requestId chosen by the side that asks
     * @param workerId the worker's id
     */
    record Released(long requestId, long workerId) implements Frame {}

    /**
     * A worker has ended. The exit status is its exit code, or 128 plus the signal; the text says
     * why in a sentence, or nothing.
     *
     * @param requestId chosen by the side that asks
     * @param workerId the worker's id
     * @param exitStatus its exit code, or 128 plus the signal
     * @param unresponsive whether the service ended it, because it did not answer
     * @param text a sentence, or nothing
     */
    record WorkerGone(long requestId, long workerId, int exitStatus, boolean unresponsive, String text)
            implements Frame {
        /** Refuses what the frame cannot carry. */
        public WorkerGone {
            FrameRules.requireText("text", text);
        }
    }

    /**
     * The host asks for the workers of a group.
     *
     * @param requestId chosen by the side that asks
     * @param group the group's id
     */
    record GetGroup(long requestId, int group) implements Frame {}

    /**
     * The workers of a group.
     *
     * @param requestId chosen by the side that asks
     * @param workerIds of the workers that are ready
     */
    record Group(long requestId, List<Long> workerIds) implements Frame {
        /** Refuses what the frame cannot carry. */
        public Group {
            workerIds = List.copyOf(workerIds);
        }
    }

    /**
     * The service tells the first stage of a worker how to start the second.
     *
     * @param requestId chosen by the side that asks
     * @param user what the process becomes, if it is to change at all
     * @param capabilities the only ones that the process may keep, as bits
     * @param limits hard limits by number of the resource, at most 16; all bits: none
     * @param socketPath where it listens, if it does: absolute, at most 106 bytes
     * @param cgroup the directory of the cgroup that it joins, if any: absolute
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
        /** Refuses what the frame cannot carry. */
        public Launch {
            Objects.requireNonNull(user);
            socketPath.ifPresent(FrameRules::requireSocketPath);
            cgroup.ifPresent(path -> FrameRules.requirePath("cgroup", path));
            limits = List.copyOf(limits);
            FrameRules.requireLimits(limits.size());
            environment = List.copyOf(environment);
            environment.forEach(FrameRules::requireVariable);
        }

        /** Not what is in the environment: it may hold secrets. */
        @Override
        public String toString() {
            return "Launch[requestId=%d, user=%s, socketPath=%s, %d variables]"
                    .formatted(requestId, user, socketPath, environment.size());
        }
    }

    /**
     * Whom a worker runs as.
     *
     * @param userId as the kernel counts
     * @param groupId as the kernel counts
     */
    record User(int userId, int groupId) {}

    /**
     * The service tells a new worker what it is.
     *
     * @param requestId chosen by the side that asks
     * @param workerId the worker's id
     * @param maxMessageSize bytes of the largest message, headers included
     * @param cpuSet the CPUs that the worker may use, if they are limited
     */
    record Configure(long requestId, long workerId, int maxMessageSize, Optional<CpuSet> cpuSet) implements Frame {
        /** Refuses what the frame cannot carry. */
        public Configure {
            Objects.requireNonNull(cpuSet);
        }
    }

    /**
     * A new worker has its plugins and listens.
     *
     * @param requestId chosen by the side that asks
     * @param processId of the worker, as its machine counts
     */
    record Ready(long requestId, int processId) implements Frame {}

    /**
     * The service announces a host to a worker: the frame TICKET. A worker that is to listen on TCP
     * for it answers with {@link Listening}.
     *
     * @param requestId chosen by the side that asks
     * @param ticket admits the host, once
     * @param session of the host, as the service counts them
     * @param lifetimeMillis how long the ticket is good
     * @param binding where to listen on TCP, if the host comes from another machine
     */
    record Admit(long requestId, Ticket ticket, long session, int lifetimeMillis, Optional<Binding> binding)
            implements Frame {
        /** Refuses what the frame cannot carry. */
        public Admit {
            Objects.requireNonNull(ticket);
            Objects.requireNonNull(binding);
        }
    }

    /**
     * The worker listens on TCP for the host of a ticket.
     *
     * @param requestId chosen by the side that asks
     * @param port 1 to 65535
     */
    record Listening(long requestId, int port) implements Frame {
        /** Refuses what the frame cannot carry. */
        public Listening {
            FrameRules.requirePort(port);
        }
    }

    /**
     * Tickets and connections of a session end.
     *
     * @param requestId chosen by the side that asks
     * @param session of the host, as the service counts them
     */
    record HostGone(long requestId, long session) implements Frame {}

    /**
     * The service asks whether a worker still runs.
     *
     * @param requestId chosen by the side that asks
     */
    record Ping(long requestId) implements Frame {}

    /**
     * The worker does.
     *
     * @param requestId chosen by the side that asks
     */
    record Pong(long requestId) implements Frame {}

    /**
     * A worker is to publish what is finished, and leave.
     *
     * @param requestId chosen by the side that asks
     */
    record Drain(long requestId) implements Frame {}

    /**
     * A host connects to a worker.
     *
     * @param requestId chosen by the side that asks
     * @param maxTasks how many commands the host will have in flight
     */
    record Attach(long requestId, int maxTasks) implements Frame {}

    /**
     * The worker accepts the host; the connection is a serial number of the worker.
     *
     * @param requestId chosen by the side that asks
     * @param connection a serial number of the worker
     * @param plugins the address of each
     */
    record Attached(long requestId, long connection, List<PluginAddress> plugins) implements Frame {
        /** Refuses what the frame cannot carry. */
        public Attached {
            plugins = List.copyOf(plugins);
        }
    }

    /**
     * The address that a plugin has for its peers, possibly none.
     *
     * @param plugin the plugin's id
     * @param address whatever the plugin gave
     */
    record PluginAddress(long plugin, Bytes address) {}

    /**
     * A command for a plugin.
     *
     * @param requestId chosen by the side that asks
     * @param plugin the plugin's id
     * @param payload what the plugin packs and unpacks
     */
    record Command(long requestId, long plugin, Bytes payload) implements Frame {}

    /**
     * A plugin's answer; the status is whatever number it gave.
     *
     * @param requestId chosen by the side that asks
     * @param status whatever number the plugin gave
     * @param payload what the plugin packs and unpacks
     */
    record Notification(long requestId, int status, Bytes payload) implements Frame {}

    /**
     * A host leaves a worker.
     *
     * @param requestId chosen by the side that asks
     */
    record Detach(long requestId) implements Frame {}

    /**
     * The worker lets the host go.
     *
     * @param requestId chosen by the side that asks
     */
    record Detached(long requestId) implements Frame {}

    /**
     * The host tells a worker its domain.
     *
     * @param requestId chosen by the side that asks
     * @param table who is in it, as {@code docs/wire.md} has it
     */
    record Domain(long requestId, Bytes table) implements Frame {}

    /**
     * The worker knows the domain.
     *
     * @param requestId chosen by the side that asks
     */
    record DomainReady(long requestId) implements Frame {}
}
