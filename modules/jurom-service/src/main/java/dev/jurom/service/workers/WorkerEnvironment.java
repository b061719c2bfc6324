// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.plugins.LibraryPath;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.wire.FrameRules;
import dev.jurom.ucx.UcxTransports;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Builds the whole environment of a worker, which inherits no variables implicitly. This class is immutable. */
public final class WorkerEnvironment {

    private static final String SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final String ROOT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final String LOG_LEVEL = "UROM_WORKER_LOG_LEVEL";
    private static final String TRANSPORTS = "UCX_TLS";
    /** The network devices of UCX, which the operator chooses for commands from other machines. */
    private static final String DEVICES = "UCX_NET_DEVICES";

    private static final String UCX_LOG_LEVEL = "UCX_LOG_LEVEL";
    private static final int MAX_NAME = 255; // maximum number of characters

    private final Map<String, String> own;
    private final Credentials credentials;
    private final Limits limits;
    private final VariableRules rules;
    private final Optional<String> pluginTransports;
    private final LogLevel logLevel;
    private final boolean offersUcx;
    private final LibraryPath libraries;

    /**
     * Creates the rules of the service for its workers.
     *
     * @param own the environment of this process
     * @param credentials the user of the service
     * @param configuration the transports of plugins, the variables that hosts on other machines may set, and the
     *         level of logs
     * @param libraries the folders of the libraries that plugins need
     */
    public WorkerEnvironment(
            Map<String, String> own,
            Credentials credentials,
            DaemonConfiguration configuration,
            LibraryPath libraries) {
        this.own = own;
        this.credentials = credentials;
        this.limits = configuration.limits();
        this.rules = new VariableRules(
                configuration.remote().map(RemoteAccess::allowedVariables).orElse(Set.of()));
        this.pluginTransports = configuration.workers().pluginTransports();
        this.offersUcx = configuration.remote().map(RemoteAccess::offersUcx).orElse(false);
        this.logLevel = configuration.logs().workerLevel();
        this.libraries = libraries;
    }

    /**
     * Returns the environment of a worker for a host.
     *
     * @param wanted the variables that the host sets, as {@code NAME=value}
     */
    List<String> of(Peer peer, List<String> wanted) throws RequestRefused {
        checkSize(wanted);
        var environment = new TreeMap<String, String>();
        addAccount(environment, peer);
        own.forEach((name, value) -> {
            if (isInherited(name, peer)) {
                environment.put(name, value);
            }
        });
        libraries.addTo(environment);
        pluginTransports.ifPresent(list -> environment.put(TRANSPORTS, list));
        environment.putIfAbsent(TRANSPORTS, UcxTransports.onThisMachine());
        environment.put(LOG_LEVEL, Integer.toString(logLevel.code()));
        if (logLevel.code() < LogLevel.DEBUG.code()) {
            // UCX logs the disconnection of a host as an error, and the plugin logs it already.
            environment.putIfAbsent(UCX_LOG_LEVEL, "fatal");
        }
        for (var variable : wanted) {
            add(environment, peer, variable);
        }
        return environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    private void checkSize(List<String> wanted) throws RequestRefused {
        var size = wanted.stream()
                .mapToLong(variable -> variable.getBytes(StandardCharsets.UTF_8).length + 1)
                .sum();
        if (wanted.size() > limits.environmentStrings() || size > limits.environmentBytes()) {
            throw new RequestRefused(
                    DocaError.TOO_BIG,
                    "An environment of " + wanted.size()
                            + " variables with " + size + " bytes is too large: the service takes "
                            + limits.environmentStrings() + " with " + limits.environmentBytes()
                            + " bytes");
        }
    }

    private void addAccount(Map<String, String> environment, Peer peer) {
        environment.put("PATH", peer.userId() == Credentials.ROOT ? ROOT_PATH : SYSTEM_PATH);
        peer.account()
                .ifPresentOrElse(
                        account -> {
                            environment.put("HOME", account.home().isEmpty() ? "/" : account.home());
                            environment.put("USER", account.name());
                            environment.put("LOGNAME", account.name());
                            environment.put("SHELL", account.shell().isEmpty() ? "/bin/sh" : account.shell());
                        },
                        () -> environment.put("HOME", own.getOrDefault("HOME", "/")));
    }

    private boolean isInherited(String name, Peer peer) {
        if (name.equals("LANG") || name.startsWith("LC_") || name.equals("TZ")) {
            return true;
        }
        if (offersUcx && !peer.isLocal() && name.equals(DEVICES)) {
            return true;
        }
        return isOwnUser(peer) && (name.startsWith("UCX_") || name.endsWith("SAN_OPTIONS"));
    }

    private boolean isOwnUser(Peer peer) {
        return peer.isLocal() && peer.userId() == credentials.userId();
    }

    private void add(Map<String, String> environment, Peer peer, String variable) throws RequestRefused {
        var equals = variable.indexOf('=');
        var name = variable.substring(0, equals);
        if (name.length() > MAX_NAME) {
            throw new RequestRefused(
                    DocaError.INVALID_VALUE,
                    "The environment variable "
                            + FrameRules.quoted(name) + " is refused: a name has at most " + MAX_NAME
                            + " characters");
        }
        var value = variable.substring(equals + 1);
        var violation = peer.isLocal() ? null : rules.violation(name, value);
        if (violation != null) {
            throw new RequestRefused(
                    DocaError.INVALID_VALUE,
                    "The environment variable " + name + " of a host that connected over TCP is refused: " + violation);
        }
        environment.put(name, value);
    }
}
