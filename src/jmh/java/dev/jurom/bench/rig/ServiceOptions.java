// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that select the runtime and the service of the measured commands. */
final class ServiceOptions {

    @Option(
            names = "--runtime",
            paramLabel = "software|vendor",
            defaultValue = "software",
            description = "Runtime of the hosts; vendor requires --service, and DOCA in the loader's path,"
                    + " /opt/mellanox/doca/lib or JAVA_TOOL_OPTIONS=-Djurom.library.path=FOLDER (default:"
                    + " ${DEFAULT-VALUE}).")
    private RuntimeKind runtime;

    @Option(
            names = "--service",
            paramLabel = "FILE",
            description = "Service file of a running service, on this machine or another one, such as a DPU. Hosts find"
                    + " their keys in the environment (default: services that the measurement starts).")
    private Path file;

    @Option(
            names = "--max-msg-size",
            paramLabel = "BYTES",
            defaultValue = "" + ServiceProcess.DEFAULT_MESSAGE,
            description = "Maximum message size of the service of --service (default: ${DEFAULT-VALUE}). Measurements"
                    + " with larger messages, or with a transport of their own, are left out.")
    private int maxMessageSize;

    /**
     * Loads the runtime, which the measured programs use too, and returns the services, none of which has started.
     */
    Services open() {
        if (file == null && runtime == RuntimeKind.VENDOR) {
            throw new IllegalArgumentException(
                    "--runtime vendor requires --service: the measurement can only start services of the software DOCA");
        }
        if (file != null && !Files.isReadable(file)) {
            throw new IllegalArgumentException("the service file " + file + " cannot be read");
        }
        System.setProperty("jurom.runtime", runtime.name().toLowerCase(Locale.ROOT));
        DocaRuntime.current();
        return file == null ? new Services() : new Services(file.toAbsolutePath(), maxMessageSize);
    }
}
