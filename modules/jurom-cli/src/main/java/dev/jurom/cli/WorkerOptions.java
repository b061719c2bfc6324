// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.service.settings.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** What workers are like. */
final class WorkerOptions {

    @Option(
            names = "--worker",
            paramLabel = "PROGRAM",
            description = "The worker program (default: the urom_worker that ships with jurom).")
    private Path program;

    @Option(
            names = "--hang-timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long a worker may fail to answer before it is killed; 0: for ever. A"
                    + " worker that a debugger holds is not killed (default: ${DEFAULT-VALUE}).")
    private int hangTimeout;

    @Option(
            names = "--worker-memory",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Maximum memory of a worker; 0: no limit. Where the service may make"
                    + " cgroups below its own, a cgroup bounds all memory; elsewhere RLIMIT_DATA bounds the"
                    + " data segment, and neither shared mappings nor memfds (default: ${DEFAULT-VALUE}).")
    private long memory;

    @Option(
            names = "--worker-files",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many descriptors a worker may have; 0: no limit (default:" + " ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--plugin-transports",
            paramLabel = "LIST",
            description = "What UCX may use in plugins, as UCX_TLS has it; without: posix,cma,self,"
                    + " which reach this machine alone. With tcp among them, each worker opens a port at"
                    + " every network of the machine, and whoever reaches it can write to the memory of the"
                    + " worker: for private networks only.")
    private String pluginTransports;

    WorkerSettings settings(Supplier<Path> usualProgram) {
        var settings = WorkerSettings.of(program == null ? usualProgram.get() : program)
                .withResources(memory, files)
                .withHangTimeout(Duration.ofSeconds(hangTimeout));
        return pluginTransports == null ? settings : settings.withPluginTransports(pluginTransports);
    }
}
