// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench syscalls}: system calls per command. */
@Command(
        name = "syscalls",
        mixinStandardHelpOptions = true,
        description = "Count the system calls of an active command on both sides with strace.")
final class SyscallsCommand implements Runnable {

    @Option(
            names = "--commands",
            defaultValue = "5000",
            description = "Number of commands in each of nine rounds (default: ${DEFAULT-VALUE}).")
    private int commands;

    @Option(names = "--write", description = "Write the table to docs/latency.md.")
    private boolean write;

    @Override
    public void run() {
        if (write) {
            Page.LATENCY.replace("syscalls", "syscalls --commands " + commands, measure(commands));
        } else {
            System.out.print(measure(commands));
        }
    }

    /** Returns the table and the cache domain. */
    private static String measure(int commands) {
        var table = new Table("commands of 64 B", "side", "system calls per command", "most frequent");
        var inC = Subject.inC("C", "urom_loopback --size 64").at(Service.LOCAL);
        var inJava = Subject.inJava("Java explicit", "loopback --size 64").at(Service.LOCAL);
        var overTls = Subject.inC("C over TLS", "urom_loopback --size 64").at(Service.OVER_TLS);
        try (var services = new Services();
                var probe = new CacheDomainProbe()) {
            for (var subject : List.of(inC, inJava)) {
                SystemCalls.measure(subject, services, commands, table);
                probe.measure();
            }
            SystemCalls.measure(overTls, services, commands / 10, table);
            probe.measure();
            return table + "\n" + probe.summary() + "\n";
        }
    }
}
