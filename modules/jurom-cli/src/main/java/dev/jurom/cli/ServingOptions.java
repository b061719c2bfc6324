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

/** Where the service listens, and whom it serves. */
final class ServingOptions {

    private static final String ANY_PORTS = "0-0";

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = {
                "Where hosts connect, unix:PATH or HOST:PORT; may be given more than"
                        + " once. By unix:PATH, hosts of this machine, whom the kernel knows. By HOST:PORT,"
                        + " also those of other machines, with TLS 1.3 and keys of both sides; port 0: the"
                        + " system chooses; an IPv6 address is in brackets. Default: unix:PATH with PATH"
                        + " jurom/urom.sock in XDG_RUNTIME_DIR, for root /run/jurom/urom.sock, else"
                        + " /tmp/jurom-UID/urom.sock."
            })
    private List<String> listen = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "Serve members of this group alone. A service that has the capabilities"
                    + " CAP_SETUID and CAP_SETGID serves all users of this machine, each with workers that"
                    + " run as that user; one without serves its own user.")
    private String group;

    @Option(
            names = "--allow-root",
            description = "Also start workers as root, for hosts that run as root. Without it, a"
                    + " service of all users refuses them; one of a single user is not affected.")
    private boolean allowRoot;

    @Option(
            names = "--allow-namespaces",
            description = "Also serve processes in other user or PID namespaces, such as"
                    + " containers. Their workers run outside of what confines them: in the service's"
                    + " namespaces and seccomp filter. Without it, a service of all users refuses them; one"
                    + " of a single user is not affected.")
    private boolean allowNamespaces;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "The service's private key and certificate, as `urom key create` makes"
                    + " them; a file of mode 0600, or root's of mode 0440.")
    private Path key;

    @Option(
            names = "--authorized-hosts",
            paramLabel = "FILE",
            description = {
                "The certificates of hosts on other machines, as PEM, each after a line"
                        + " \"account: NAME\": the local user of its workers, never root. Lines that begin"
                        + " with # mean nothing. Read again on SIGHUP: hosts that are gone from it lose"
                        + " their connections."
            })
    private Path authorizedHosts;

    @Option(
            names = "--allow-env",
            paramLabel = "NAME",
            split = ",",
            description = "Environment variables that hosts of other machines may set for their"
                    + " workers, beside LANG, LC_* and TZ. What could make a worker run other programs,"
                    + " such as LD_PRELOAD, is never allowed.")
    private Set<String> allowedVariables = Set.of();

    @Option(
            names = "--worker-ports",
            paramLabel = "LOW-HIGH",
            defaultValue = ANY_PORTS,
            description = "The TCP ports at which workers listen for hosts of other machines" + " (default: any).")
    private String workerPorts;

    @Option(
            names = "--data",
            paramLabel = "tls|ucx",
            defaultValue = "tls",
            description = "What carries commands to hosts of other machines: TLS; or with ucx, UCX"
                    + " (tcp and RDMA) for the hosts that have JUROM_DATA=ucx in their environment, where"
                    + " TLS carries the key exchange alone. Nothing encrypts what UCX carries, and whoever"
                    + " reaches the ports of its tcp transport can write the memory of host and worker:"
                    + " for private networks only (default: ${DEFAULT-VALUE}).")
    private String data;

    List<ListenAddress> addresses() {
        return listen.isEmpty()
                ? List.of(ListenAddress.usual())
                : listen.stream().map(ListenAddress::parse).toList();
    }

    /** Whom the service serves with a worker program. */
    DaemonConfiguration.Users users(Path workerProgram) {
        return DaemonConfiguration.Users.possible(Optional.ofNullable(group), workerProgram, key != null)
                .allowing(allowRoot, allowNamespaces);
    }

    private boolean offersUcx() {
        return switch (data) {
            case "tls" -> false;
            case "ucx" -> true;
            default -> throw new IllegalArgumentException("The data \"" + data + "\" are neither tls nor ucx");
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
                    "The worker ports \"" + workerPorts + "\" are not LOW-HIGH, for instance 7500-7599");
        }
        var access = RemoteAccess.of(key, authorizedHosts)
                .withAllowedVariables(allowedVariables)
                .withWorkerPorts(Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
        return Optional.of(ucx ? access.withUcx() : access);
    }
}
