// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.util.List;
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

    /** Bytes of a nonce. */
    int NONCE_SIZE = 32;
    /** Bytes of a proof. */
    int MAC_SIZE = 32;
    /** Bytes of a worker's token. */
    int TOKEN_SIZE = 32;

    /**
     * Chosen by the side that asks, returned by every answer.
     *
     * @return any number
     */
    long requestId();

    /** A host begins a connection. */
    record Hello(long requestId, Bytes clientNonce, int maxMessageSize, int userId)
            implements Frame {
        public Hello {
            FrameRules.requireSize("nonce", clientNonce, NONCE_SIZE);
        }
    }

    /** The service asks for a proof. */
    record Challenge(long requestId, Bytes serverNonce) implements Frame {
        public Challenge {
            FrameRules.requireSize("nonce", serverNonce, NONCE_SIZE);
        }
    }

    /** The host's proof. */
    record Authenticate(long requestId, Bytes mac) implements Frame {
        public Authenticate {
            FrameRules.requireSize("mac", mac, MAC_SIZE);
        }
    }

    /** The service's proof, and what it offers. */
    record Welcome(long requestId, Bytes mac, int maxMessageSize, int coreCount, CpuSet cpuSet,
            List<PluginInfo> plugins) implements Frame {
        public Welcome {
            FrameRules.requireSize("mac", mac, MAC_SIZE);
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
    }

    /** A worker is ready. */
    record Spawned(long requestId, long workerId, int processId, boolean newProcess,
            OptionalInt group, Bytes token, Bytes address) implements Frame {
        public Spawned {
            FrameRules.requireSize("token", token, TOKEN_SIZE);
            FrameRules.requireAddress(address);
        }
    }

    /** The host gives up one reference on a worker. */
    record Release(long requestId, long workerId) implements Frame {
    }

    /** The reference is gone. */
    record Released(long requestId, long workerId) implements Frame {
    }

    /** A worker ended by itself. The exit status is its exit code, or 128 plus the signal. */
    record WorkerGone(long requestId, long workerId, int exitStatus) implements Frame {
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

    /** The service tells a new worker what it is. */
    record Configure(long requestId, Bytes token, long workerId, int maxMessageSize,
            Optional<CpuSet> cpuSet) implements Frame {
        public Configure {
            FrameRules.requireSize("token", token, TOKEN_SIZE);
        }
    }

    /** A new worker has its plugins and its address. */
    record Ready(long requestId, int processId, Bytes address) implements Frame {
        public Ready {
            FrameRules.requireAddress(address);
        }
    }

    /** A host connects to a worker. */
    record Attach(long requestId, Bytes token, int maxTasks, Bytes address) implements Frame {
        public Attach {
            FrameRules.requireSize("token", token, TOKEN_SIZE);
            FrameRules.requireAddress(address);
        }
    }

    /** The worker accepts the host. */
    record Attached(long requestId, int connection, List<PluginAddress> plugins) implements Frame {
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
