// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.ByteSize;
import dev.jurom.cli.shell.WholeSeconds;
import dev.jurom.service.settings.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Configuration of workers. */
final class WorkerOptions {

    @Option(
            names = "--worker",
            paramLabel = "PROGRAM",
            description = "Worker program (default: the urom_worker that ships with jurom).")
    private Path program;

    @Option(
            names = "--hang-timeout",
            paramLabel = "SECONDS",
            converter = WholeSeconds.class,
            description = "Time in seconds after which the service kills a worker that does not answer; 0:"
                    + " never. A worker that a debugger has stopped is not killed (default:"
                    + " ${DEFAULT-VALUE}).")
    private long hangTimeout = WorkerSettings.DEFAULT_HANG_TIMEOUT.toSeconds();

    @Option(
            names = "--busy-timeout",
            paramLabel = "SECONDS",
            converter = WholeSeconds.class,
            description = "Maximum time in seconds that a plugin can announce for a callback, beyond"
                    + " --hang-timeout; 0: announcements have no effect (default: ${DEFAULT-VALUE}).")
    private long busyTimeout = WorkerSettings.DEFAULT_BUSY_TIMEOUT.toSeconds();

    @Option(
            names = "--core-dir",
            paramLabel = "DIRECTORY",
            description = "Directory for cores of workers: each user's workers run in a directory of mode 0700"
                    + " in it (default: workers run in /).")
    private Path cores;

    @Option(
            names = "--worker-memory",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = ByteSize.OfMemory.class,
            description = "Maximum memory of a worker in bytes; 0: no limit. Where the service may create"
                    + " cgroups below its own, a cgroup bounds all memory; elsewhere RLIMIT_DATA"
                    + " bounds the"
                    + " data segment, and neither shared mappings nor memfds (default: ${DEFAULT-VALUE}).")
    private long memory;

    @Option(
            names = "--worker-files",
            paramLabel = "N",
            defaultValue = "0",
            description = "Maximum number of descriptors of a worker; 0: no limit (default:" + " ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--worker-tasks",
            paramLabel = "N",
            defaultValue = "" + WorkerSettings.DEFAULT_TASKS,
            description = "Maximum number of processes and threads of a worker that has a cgroup of its own"
                    + " (--worker-memory); 0: no limit (default: ${DEFAULT-VALUE}).")
    private int tasks;

    @Option(
            names = "--worker-tasks-per-user",
            paramLabel = "N",
            defaultValue = "" + WorkerSettings.DEFAULT_TASKS_PER_USER,
            description = "Maximum number of processes and threads of all such workers of a user; 0: no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int tasksPerUser;

    @Option(
            names = "--plugin-transports",
            paramLabel = "LIST",
            description = "Transports that UCX may use in plugins, in the syntax of UCX_TLS (default:"
                    + " posix,cma,self, which reach only this machine). With tcp, each worker opens"
                    + " a port on every network of the machine, and any process that reaches it can"
                    + " write to the memory of the worker: use tcp in private networks only.")
    private String pluginTransports;

    WorkerSettings settings(Supplier<Path> usualProgram) {
        var settings = WorkerSettings.of(program == null ? usualProgram.get() : program)
                .withResources(memory, files)
                .withTasks(tasks, tasksPerUser)
                .withHangTimeout(Duration.ofSeconds(hangTimeout))
                .withBusyTimeout(Duration.ofSeconds(busyTimeout));
        if (cores != null) {
            settings = settings.withCores(cores);
        }
        return pluginTransports == null ? settings : settings.withPluginTransports(pluginTransports);
    }
}
