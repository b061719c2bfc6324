// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

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
sealed interface Frame {

    /**
     * Chosen by the side that asks, returned by every answer.
     *
     * @return any number
     */
    long requestId();

    /** A host begins a connection. */
    record Hello(long requestId, int maxMessageSize) implements Frame {
    }

    /** What the service offers. */
    record Welcome(long requestId, int maxMessageSize, int coreCount, CpuSet cpuSet,
            List<PluginInfo> plugins) implements Frame {
        public Welcome {
            plugins = List.copyOf(plugins);
            plugins.forEach(plugin -> FrameRules.requirePluginName(plugin.name()));
        }
    }

    /** What was asked for did not work. */
    record Failure(long requestId, DocaError error, String text) implements Frame {
        public Failure {
            if (error.isSuccess()) {
                throw new IllegalArgumentException("an ERROR cannot have the status SUCCESS");
            }
            FrameRules.requireText("text", text);
        }
    }

    /** The host wants a worker: a new one, or one more reference on one that runs. */
    record Spawn(long requestId, long workerId, long plugins, OptionalInt group,
            Optional<CpuSet> cpuSet, List<String> environment) implements Frame {
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
     * @param offersUcx whether the host may choose UCX for its commands
     */
    record Spawned(long requestId, long workerId, int processId, boolean newProcess,
            OptionalInt group, boolean offersUcx, Ticket ticket, String address)
            implements Frame {
        public Spawned {
            Objects.requireNonNull(ticket);
            FrameRules.requireAddress(address);
        }
    }

    /** The host gives up one reference on a worker. */
    record Release(long requestId, long workerId) implements Frame {
    }

    /** The reference is gone. */
    record Released(long requestId, long workerId) implements Frame {
    }

    /**
     * A worker has ended. The exit status is its exit code, or 128 plus the signal; the text says
     * why in a sentence, or nothing.
     */
    record WorkerGone(long requestId, long workerId, int exitStatus, String text)
            implements Frame {
        public WorkerGone {
            FrameRules.requireText("text", text);
        }
    }

    /** The host asks for the workers of a group. */
    record GetGroup(long requestId, int group) implements Frame {
    }

    /** The workers of a group. */
    record Group(long requestId, List<Long> workerIds) implements Frame {
        public Group {
            workerIds = List.copyOf(workerIds);
        }
    }

    /**
     * The service tells the first stage of a worker how to start the second. Limits of 0 are none:
     * the memory limit is in bytes of {@code RLIMIT_DATA}, the file limit is {@code RLIMIT_NOFILE},
     * the log limit in bytes of a worker's log before it rotates (0: it has none of its own).
     *
     * @param user what the process becomes, if it is to change at all
     * @param socketPath where it listens, if it does: absolute, at most 106 bytes
     * @param logDirectory where its logs are, if it has any: absolute
     * @param environment the whole environment of the second stage
     */
    record Launch(long requestId, Optional<User> user, long memoryLimit, int fileLimit,
            int logLimit, Optional<String> socketPath, Optional<String> logDirectory,
            List<String> environment) implements Frame {
        public Launch {
            Objects.requireNonNull(user);
            socketPath.ifPresent(FrameRules::requireSocketPath);
            logDirectory.ifPresent(path -> FrameRules.requirePath("log directory", path));
            environment = List.copyOf(environment);
            environment.forEach(FrameRules::requireVariable);
        }

        /** Not what is in the environment: it may hold secrets. */
        @Override
        public String toString() {
            return "Launch[requestId=%d, user=%s, socketPath=%s, logDirectory=%s, %d variables]"
                    .formatted(requestId, user, socketPath, logDirectory, environment.size());
        }
    }

    /** Whom a worker runs as. */
    record User(int userId, int groupId) {
    }

    /** The service tells a new worker what it is. */
    record Configure(long requestId, long workerId, int maxMessageSize, Optional<CpuSet> cpuSet)
            implements Frame {
        public Configure {
            Objects.requireNonNull(cpuSet);
        }
    }

    /** A new worker has its plugins and listens. */
    record Ready(long requestId, int processId) implements Frame {
    }

    /**
     * The service announces a host to a worker: the frame TICKET. A worker that is to listen on TCP
     * for it answers with {@link Listening}.
     *
     * @param session of the host, as the service counts them
     * @param binding where to listen on TCP, if the host comes from another machine
     */
    record Admit(long requestId, Ticket ticket, long session, int lifetimeMillis,
            Optional<Binding> binding) implements Frame {
        public Admit {
            Objects.requireNonNull(ticket);
            Objects.requireNonNull(binding);
        }
    }

    /**
     * Where to listen: a numeric IP address, and a range of ports (0 to 0: any); and whether the
     * host may choose UCX for its commands.
     */
    record Binding(String address, int portLow, int portHigh, boolean offersUcx) {
        public Binding {
            FrameRules.requireAddress(address);
            FrameRules.requirePorts(portLow, portHigh);
        }
    }

    /** The worker listens on TCP for the host of a ticket. */
    record Listening(long requestId, int port) implements Frame {
        public Listening {
            FrameRules.requirePort(port);
        }
    }

    /** Tickets and connections of a session end. */
    record HostGone(long requestId, long session) implements Frame {
    }

    /** The service asks whether a worker still runs. */
    record Ping(long requestId) implements Frame {
    }

    /** The worker does. */
    record Pong(long requestId) implements Frame {
    }

    /** A worker is to publish what is finished, and leave. */
    record Drain(long requestId) implements Frame {
    }

    /** A host connects to a worker. */
    record Attach(long requestId, int maxTasks) implements Frame {
    }

    /** The worker accepts the host; the connection is a serial number of the worker. */
    record Attached(long requestId, long connection, List<PluginAddress> plugins)
            implements Frame {
        public Attached {
            plugins = List.copyOf(plugins);
        }
    }

    /** The address that a plugin has for its peers, possibly none. */
    record PluginAddress(long plugin, Bytes address) {
    }

    /** A command for a plugin. */
    record Command(long requestId, long plugin, Bytes payload) implements Frame {
    }

    /** A plugin's answer; the status is whatever number it gave. */
    record Notification(long requestId, int status, Bytes payload) implements Frame {
    }

    /** A host leaves a worker. */
    record Detach(long requestId) implements Frame {
    }

    /** The worker lets the host go. */
    record Detached(long requestId) implements Frame {
    }

    /** The host tells a worker its domain. */
    record Domain(long requestId, Bytes table) implements Frame {
    }

    /** The worker knows the domain. */
    record DomainReady(long requestId) implements Frame {
    }
}
