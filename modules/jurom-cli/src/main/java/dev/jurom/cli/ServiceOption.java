// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.EmbeddedService;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import java.io.PrintStream;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which service a command uses: every command that uses one has this option. */
final class ServiceOption {

    @Option(names = "--service-file", paramLabel = "FILE",
            description = "The service to use. Default: DOCA_UROM_SERVICE_FILE, else a private"
                    + " one.")
    private Path serviceFile;

    @Option(names = "--max-message-size", paramLabel = "BYTES",
            defaultValue = "" + UromService.DEFAULT_MAX_MESSAGE_SIZE,
            converter = PositiveNumber.class,
            description = "The longest message between a host and a worker: as the service has it"
            + " (default: ${DEFAULT-VALUE}).")
    private int maxMessageSize;

    /** The longest message between a host and a worker, headers included. */
    int maxMessageSize() {
        return maxMessageSize;
    }

    /** Ends the private service, if there is one. */
    interface Choice extends AutoCloseable {

        @Override
        void close();
    }

    /** Makes the environment name the service, and says which it is and which runtime is in use. */
    Choice open(PrintStream out) {
        var runtime = DocaRuntime.current();
        out.println("runtime   " + runtime.summary());
        out.println("          " + runtime.passedOver());
        if (serviceFile != null) {
            ServiceFile.name(serviceFile);
        }
        if (runtime.kind() == RuntimeKind.SOFTWARE && ServiceFile.named().isEmpty()) {
            var embedded = EmbeddedService.open(
                    usual -> usual.toBuilder().maxMessageSize(maxMessageSize).build());
            out.println("service   " + embedded);
            return embedded::close;
        }
        out.println("service   named by " + ServiceFile.named().orElse("nothing"));
        return () -> { };
    }

    /** Starts the service's context, with room for some workers. */
    UromService start(ProgressEngine engine, Device device, int workers) {
        var service = UromService.create(engine, device)
                .setMaxWorkers(powerOfTwoFrom(workers))
                .setMaxMessageSize(maxMessageSize);
        try {
            service.start();
            return service;
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
    }

    private static int powerOfTwoFrom(int number) {
        return number == 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }
}
