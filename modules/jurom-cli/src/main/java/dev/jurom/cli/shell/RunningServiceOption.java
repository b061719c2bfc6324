// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.status.VisibleServices;
import dev.jurom.urom.ServiceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * The option that selects the running service of a command. Candidates are the services of this
 * user on this machine, including embedded ones; for root, the services of each user; for other
 * users also services that serve all users, with the workers of this user.
 */
public final class RunningServiceOption {

    private static final String PROCESS = "[0-9]{1,10}";

    @Option(
            names = "--service",
            paramLabel = "FILE|ADDRESS|PID",
            description = "Running service on this machine, of this user, or for root of any user: a service"
                    + " file, an address, or a process id. In a service of all users, other users"
                    + " see their own workers (default: the service of DOCA_UROM_SERVICE_FILE, else"
                    + " the only running service).")
    private String wanted;

    RunningServiceOption() {} // created by picocli

    /**
     * Returns the selected service. Unless one is named, a service of this user takes precedence
     * over services of other users.
     *
     * @return the service, which may have ended meanwhile
     * @throws CommandFailure if there is none, or more than one
     */
    public ServiceStatus find() {
        var found = findAll();
        var own = name() == null ? ServiceStatus.running() : List.<ServiceStatus>of();
        if (!own.isEmpty()) {
            found = own;
        }
        if (found.size() > 1) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "There are " + found.size() + " services: " + describe(found) + "; choose one with --service PID");
        }
        return found.getFirst();
    }

    /**
     * Returns the selected services, the oldest first: all that this user may see, unless one is
     * named.
     *
     * @return at least one service; each may have ended meanwhile
     * @throws CommandFailure if there is none
     */
    public List<ServiceStatus> findAll() {
        return findVisible().running();
    }

    /**
     * Returns the selected services, as {@link #findAll}, and the number of services that cannot be read.
     *
     * @return at least one running service; each may have ended meanwhile
     * @throws CommandFailure if there is none
     */
    public VisibleServices findVisible() {
        var found = select();
        if (found.running().isEmpty()) {
            throw noService();
        }
        return found;
    }

    /**
     * Returns the selected services that run, possibly none, and the number of services that cannot be read. If a process
     * id is selected, no other service is read.
     *
     * @return the services
     */
    public VisibleServices select() {
        var name = name();
        if (name != null && name.matches(PROCESS)) {
            return VisibleServices.ofProcess(Long.parseLong(name));
        }
        var visible = VisibleServices.find();
        if (name == null) {
            return visible;
        }
        var addresses = addresses(name);
        return new VisibleServices(
                visible.running().stream()
                        .filter(status -> status.addresses().stream().anyMatch(addresses::contains))
                        .toList(),
                visible.unreadable());
    }

    /**
     * Returns the address or the service file of the selected service, which may not be running.
     *
     * @return empty if none is named, or a process id
     */
    public Optional<String> addressOrFile() {
        return Optional.ofNullable(name()).filter(name -> !name.matches(PROCESS));
    }

    private CommandFailure noService() {
        var name = name();
        var visible = VisibleServices.find();
        var running = visible.running();
        return new CommandFailure(
                ExitCode.NO_SERVICE,
                name == null
                        ? "No service of this user runs on this machine: start one with urom-daemon"
                                + unreadable(visible)
                        : "No service of this user runs on this machine at " + name
                                + (running.isEmpty() ? "" : "; there are: " + describe(running))
                                + unreadable(visible));
    }

    private static String unreadable(VisibleServices visible) {
        return remarks(visible).stream().map(remark -> "; " + remark).collect(Collectors.joining());
    }

    /**
     * Returns a remark for each user with services that cannot be read, without text of those services.
     *
     * @param visible the services
     * @return sentences
     */
    public static List<String> remarks(VisibleServices visible) {
        return visible.unreadable().entrySet().stream()
                .map(it -> "the status of " + it.getValue() + (it.getValue() == 1 ? " service" : " services")
                        + " of the user with id " + Integer.toUnsignedString(it.getKey())
                        + " cannot be read: another release may run there")
                .toList();
    }

    private String name() {
        return wanted == null ? ServiceFile.named().orElse(null) : wanted;
    }

    private static List<String> addresses(String name) {
        return ServiceChoice.isAddress(name)
                ? List.of(name)
                : ServiceChoice.addressesFor(ServiceFile.read(Path.of(name)));
    }

    private static String describe(List<ServiceStatus> services) {
        return services.stream()
                .map(status -> "process " + status.process() + " at " + String.join(", ", status.addresses()))
                .collect(Collectors.joining("; "));
    }
}
