// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Counts system calls. */
@Command(name = "syscalls", description = "Counts with strace how many system calls a hot command"
        + " makes, on both sides.")
final class SyscallsCommand implements Runnable {

    /** How many commands a round has unless another number is asked for. */
    static final int COMMANDS = 5000;

    private static final Map<String, String> OVER_TCP = Map.of("UCX_TLS", "tcp");

    @Option(names = "--commands", defaultValue = "" + COMMANDS,
            description = "How many commands are looked at, nine times over (default:"
                    + " ${DEFAULT-VALUE}).")
    private int commands;

    @Override
    public void run() {
        System.out.print(measure(commands));
    }

    static Table measure(int commands) {
        var table = new Table("commands of 64 B", "side", "system calls a command", "most of them");
        var inC = Subject.inC("C", "urom_loopback --size 64");
        var inJava = Subject.inJava("Java explicit", "loopback --size 64");
        try (var service = ServiceProcess.start(ServiceProcess.DEFAULT_MESSAGE, Map.of())) {
            SystemCalls.measure(inC, service, commands, table);
            SystemCalls.measure(inJava, service, commands, table);
        }
        try (var service = ServiceProcess.start(ServiceProcess.DEFAULT_MESSAGE, OVER_TCP)) {
            SystemCalls.measure(Subject.inC("C over tcp", "urom_loopback --size 64")
                    .with("UCX_TLS", "tcp"), service, commands / 10, table);
        }
        return table;
    }
}
