// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceFileException;
import dev.jurom.urom.ServiceLocation;
import dev.jurom.urom.UromService;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The option that selects the service to which a command offloads. */
public final class ServiceOption {

    private static final Set<DocaError> UNREACHED = EnumSet.of(DocaError.CONNECTION_ABORTED, DocaError.NOT_PERMITTED);

    @Option(
            names = "--service",
            paramLabel = "FILE|ADDRESS",
            description = "Service to use: a service file, or an address, unix:PATH or HOST:PORT (default:"
                    + " DOCA_UROM_SERVICE_FILE, else a private service in this process).")
    private String wanted;

    @Option(
            names = "--max-message-size",
            paramLabel = "BYTES",
            defaultValue = "" + UromService.DEFAULT_MAX_MESSAGE_SIZE,
            converter = ByteSize.class,
            description = "Maximum size in bytes of a message between a host and a worker, as configured in the"
                    + " service (default: ${DEFAULT-VALUE}).")
    private int maxMessageSize;

    ServiceOption() {} // created by picocli

    /** {@return whether no service is named, so that this process starts a private one} */
    public boolean isPrivate() {
        return wanted == null
                && DocaRuntime.current().kind() == RuntimeKind.SOFTWARE
                && ServiceFile.named().isEmpty();
    }

    /** {@return the address that was named instead of a service file; empty if there is none} */
    public Optional<String> address() {
        return location() instanceof ServiceLocation.Address(var address) ? Optional.of(address) : Optional.empty();
    }

    /** {@return the service file that was named by the option or the environment; empty if there is none} */
    public Optional<Path> file() {
        return switch (location()) {
            case ServiceLocation.File(var path) -> Optional.of(path);
            case ServiceLocation.Environment environment -> ServiceFile.named().map(Path::of);
            case ServiceLocation.Address address -> Optional.empty();
            case ServiceLocation.Embedded embedded -> Optional.empty();
        };
    }

    private ServiceLocation location() {
        if (wanted == null) {
            return ServiceLocation.environment();
        }
        return ServiceChoice.isAddress(wanted)
                ? ServiceLocation.address(wanted)
                : ServiceLocation.file(Path.of(wanted));
    }

    /** Closes the private service, if there is one. */
    public interface Choice extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Opens a private service if no other is named, and prints the service and the runtime in use.
     *
     * @param print receives the printed lines
     * @return the choice, which the caller closes at the end of the command
     */
    public Choice open(Consumer<String> print) {
        var runtime = DocaRuntime.current();
        print.accept("runtime   " + runtime.summary());
        print.accept("          " + runtime.passedOver());
        if (wanted != null) {
            print.accept("service   " + (address().isPresent() ? "at " : "named by ") + wanted);
            return () -> {};
        }
        if (isPrivate()) {
            var embedded = EmbeddedService.open(
                    usual -> usual.toBuilder().maxMessageSize(maxMessageSize).build());
            print.accept("service   " + embedded);
            return embedded::close;
        }
        print.accept("service   named by " + ServiceFile.named().orElse("nothing"));
        return () -> {};
    }

    /**
     * Starts the service's context, for at most one worker.
     *
     * @param engine the progress engine of the context
     * @param device the device of the context
     * @return the running context, which the caller closes
     */
    public UromService start(ProgressEngine engine, Device device) {
        var service = UromService.create(engine, device);
        try {
            service.setLocation(location())
                    .setMaxWorkers(1)
                    .setMaxMessageSize(maxMessageSize)
                    .start();
            return service;
        } catch (DocaException e) {
            service.close();
            throw explained(e);
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
    }

    /** Replaces the library's status, which is the same for all causes of a failed connection. */
    private RuntimeException explained(DocaException failure) {
        List<String> addresses;
        try {
            addresses = address()
                    .map(List::of)
                    .or(() -> file().map(ServiceFile::read).map(ServiceChoice::addressesFor))
                    .orElse(List.of());
        } catch (ServiceFileException | UncheckedIOException unreadable) {
            unreadable.addSuppressed(failure);
            return unreadable;
        }
        if (addresses.isEmpty()
                || !UNREACHED.contains(failure.error())
                || !addresses.stream().allMatch(Reach::isLocal)) {
            return failure; // for another machine, has the reason for each address of the host
        }
        return Reach.failure(addresses, failure)
                .or(() -> LibraryLog.firstError()
                        .map(why -> new CommandFailure(FailureLine.of(failure).exitCode(), why, failure)))
                .<RuntimeException>map(it -> it)
                .orElse(failure);
    }
}
