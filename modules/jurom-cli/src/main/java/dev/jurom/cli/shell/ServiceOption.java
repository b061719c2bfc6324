// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceFileException;
import dev.jurom.urom.UromService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
        return Optional.ofNullable(wanted).filter(ServiceChoice::isAddress);
    }

    /** Closes the private service, if there is one. */
    public interface Choice extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Sets the environment to the service, and prints the service and the runtime in use.
     *
     * @param print receives the printed lines
     * @return the choice, which the caller closes at the end of the command
     */
    public Choice open(Consumer<String> print) {
        var runtime = DocaRuntime.current();
        print.accept("runtime   " + runtime.summary());
        print.accept("          " + runtime.passedOver());
        if (wanted != null) {
            return openWanted(print);
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

    private Choice openWanted(Consumer<String> print) {
        if (address().isEmpty()) {
            ServiceFile.name(Path.of(wanted));
            print.accept("service   named by " + wanted);
            return () -> {};
        }
        try {
            var file = Files.createTempFile("jurom-service", "");
            file.toFile().deleteOnExit(); // also after SIGINT and SIGTERM
            new ServiceFile(Device.list().stream()
                            .map(DeviceInfo::pciAddress)
                            .distinct()
                            .map(pci -> new ServiceFile.Entry("localhost", wanted, pci, List.of("all")))
                            .toList())
                    .write(file);
            ServiceFile.name(file);
            print.accept("service   at " + wanted);
            return () -> delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException("No service file can be written for " + wanted + ": " + e, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // A few bytes remain in the directory for temporary files.
        }
    }

    /**
     * Starts the service's context, for at most one worker.
     *
     * @param engine the progress engine of the context
     * @param device the device of the context
     * @return the running context, which the caller closes
     */
    public UromService start(ProgressEngine engine, Device device) {
        var service = UromService.create(engine, device).setMaxWorkers(1).setMaxMessageSize(maxMessageSize);
        try {
            service.start();
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
    private static RuntimeException explained(DocaException failure) {
        if (ServiceFile.named().isEmpty()) {
            return failure;
        }
        ServiceFile file;
        try {
            file = ServiceFile.read(Path.of(ServiceFile.named().get()));
        } catch (ServiceFileException | UncheckedIOException unreadable) {
            unreadable.addSuppressed(failure);
            return unreadable;
        }
        if (!UNREACHED.contains(failure.error())) {
            return failure;
        }
        var addresses = ServiceChoice.addressesFor(file);
        if (!addresses.stream().allMatch(Reach::isLocal)) {
            return failure; // has the reason for each address of the host
        }
        return Reach.failure(addresses, failure)
                .or(() -> LibraryLog.firstError()
                        .map(why -> new CommandFailure(FailureLine.of(failure).exitCode(), why, failure)))
                .<RuntimeException>map(it -> it)
                .orElse(failure);
    }
}
