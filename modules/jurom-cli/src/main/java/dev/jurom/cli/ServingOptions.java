// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Options for the addresses of the service and the hosts that it accepts. */
final class ServingOptions {

    private static final String ANY_PORTS = "0-0";

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = {
                "Address for hosts, unix:PATH or HOST:PORT; may be repeated. unix:PATH is for hosts of this"
                        + " machine, which the kernel authenticates. HOST:PORT is also for hosts of"
                        + " other machines, with TLS 1.3 and keys of both sides; port 0 lets the"
                        + " system choose; an IPv6 address is in brackets. Default: unix:PATH with"
                        + " PATH"
                        + " jurom/urom.sock in XDG_RUNTIME_DIR, for root /run/jurom/urom.sock, else"
                        + " /tmp/jurom-UID/urom.sock."
            })
    private List<String> listen = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "Serve only members of this group. A service that has the capabilities"
                    + " CAP_SETUID and CAP_SETGID serves all users of this machine, each with workers that"
                    + " run as that user; a service without them serves its own user.")
    private String group;

    @Option(
            names = "--allow-root",
            description = "Also start workers as root, for hosts that run as root. Without it, a"
                    + " service of all users refuses them; one of a single user is not affected.")
    private boolean allowRoot;

    @Option(
            names = "--allow-namespaces",
            description = "Also serve processes in other user or PID namespaces, such as"
                    + " containers. Their workers run outside their confinement, in the service's namespaces and"
                    + " seccomp filter. Without it, a service of all users refuses them; one"
                    + " of a single user is not affected.")
    private boolean allowNamespaces;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "File of the service's private key and certificate, created by `urom key create`; its"
                    + " mode is 0600, or 0440 if root owns it.")
    private Path key;

    @Option(
            names = "--authorized-hosts",
            paramLabel = "FILE",
            description = {
                "File of the certificates of hosts on other machines, as PEM, each after a line"
                        + " \"account: NAME\": the local user of its workers, never root. On this line,"
                        + " \"plugins=NAME,...\" names the plugins that the host may use; without it, it may use"
                        + " those that open no UCX. Lines that begin with"
                        + " # are comments. The service reads the file again on SIGHUP and"
                        + " disconnects hosts that it no longer lists."
            })
    private Path authorizedHosts;

    @Option(
            names = "--allow-env",
            paramLabel = "NAME",
            split = ",",
            description = "Environment variables that hosts of other machines may set for their"
                    + " workers, besides LANG, LC_* and TZ. Variables that could make a worker run other"
                    + " programs, such as LD_PRELOAD, are never allowed.")
    private Set<String> allowedVariables = Set.of();

    @Option(
            names = "--worker-ports",
            paramLabel = "LOW-HIGH",
            defaultValue = ANY_PORTS,
            description = "TCP ports at which workers listen for hosts of other machines" + " (default: any).")
    private String workerPorts;

    @Option(
            names = "--data",
            paramLabel = "tls|ucx",
            defaultValue = "tls",
            description = "Transport of commands to hosts of other machines. With ucx, hosts that have"
                    + " JUROM_DATA=ucx in their environment use UCX (tcp and RDMA), and TLS carries"
                    + " only the key exchange. UCX traffic is not encrypted, and any process that"
                    + " reaches the ports of its tcp transport can write the memory of host and"
                    + " worker: use ucx in private networks only (default: ${DEFAULT-VALUE}).")
    private String data;

    List<ListenAddress> addresses() {
        return listen.isEmpty()
                ? List.of(ListenAddress.usual())
                : listen.stream().map(ListenAddress::parse).toList();
    }

    /** Returns the users that the service serves with a worker program. */
    DaemonConfiguration.Users users(Path workerProgram) {
        return DaemonConfiguration.Users.possible(Optional.ofNullable(group), workerProgram, key != null)
                .allowing(allowRoot, allowNamespaces);
    }

    private boolean offersUcx() {
        return switch (data) {
            case "tls" -> false;
            case "ucx" -> true;
            default -> throw new IllegalArgumentException("--data must be tls or ucx, not \"" + data + "\"");
        };
    }

    Optional<RemoteAccess> remote() {
        var ucx = offersUcx();
        if (key == null && authorizedHosts == null) {
            if (ucx) {
                throw new IllegalArgumentException(
                        "--data ucx is for hosts of other machines: it" + " needs --key and --authorized-hosts");
            }
            if (!workerPorts.equals(ANY_PORTS)) {
                throw new IllegalArgumentException(
                        "--worker-ports is for hosts of other machines:" + " it needs --key and --authorized-hosts");
            }
            return Optional.empty();
        }
        if (key == null || authorizedHosts == null) {
            throw new IllegalArgumentException(
                    "For hosts of other machines, both --key and" + " --authorized-hosts are needed");
        }
        var ports = workerPorts.split("-", -1);
        if (!workerPorts.matches("[0-9]{1,5}-[0-9]{1,5}")) {
            throw new IllegalArgumentException(
                    "--worker-ports \"" + workerPorts + "\" is not LOW-HIGH, for instance 7500-7599");
        }
        var access = RemoteAccess.of(key, authorizedHosts)
                .withAllowedVariables(allowedVariables)
                .withWorkerPorts(Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
        return Optional.of(ucx ? access.withUcx() : access);
    }
}
