// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Counts system calls. */
@Command(
        name = "syscalls",
        mixinStandardHelpOptions = true,
        description = "Counts with strace how" + " many system calls a hot command makes, on both sides.")
final class SyscallsCommand implements Runnable {

    /** How many commands a round has unless another number is asked for. */
    private static final int COMMANDS = 5000;

    @Option(
            names = "--commands",
            defaultValue = "" + COMMANDS,
            description = "How many commands are looked at, nine times over (default:" + " ${DEFAULT-VALUE}).")
    private int commands;

    @Option(names = "--write", description = "Puts the table into docs/latency.md.")
    private boolean write;

    @Override
    public void run() {
        if (write) {
            write();
        } else {
            System.out.print(measure(commands));
        }
    }

    /** Measures, and puts what came of it into the page. */
    static void write() {
        LatencyPage.replace("syscalls", "syscalls", measure(COMMANDS));
    }

    /** The table, and how far apart the cores were. */
    private static String measure(int commands) {
        var table = new Table("commands of 64 B", "side", "system calls a command", "most of them");
        var inC = Subject.inC("C", "urom_loopback --size 64").at(Service.LOCAL);
        var inJava = Subject.inJava("Java explicit", "loopback --size 64").at(Service.LOCAL);
        var overTls = Subject.inC("C over TLS", "urom_loopback --size 64").at(Service.OVER_TLS);
        try (var services = new Services();
                var watch = new CoreWatch()) {
            for (var subject : List.of(inC, inJava)) {
                SystemCalls.measure(subject, services, commands, table);
                watch.look();
            }
            SystemCalls.measure(overTls, services, commands / 10, table);
            watch.look();
            return table + "\n" + watch.summary() + "\n";
        }
    }
}
