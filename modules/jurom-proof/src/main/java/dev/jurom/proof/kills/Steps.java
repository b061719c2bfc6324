// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.NativePrograms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.function.Consumer;

/** Kills after single instructions, by ptrace: src/test/c/stepping/stepping_test.c. */
final class Steps {

    private static final String TRIED = "; killed after ";

    /** An explanation of the lines of {@link #run}. */
    static final String EXPLANATION = """
            An operation consists of all instructions of one end, including libc's; a system call counts as
            one. The other end can observe an instruction if it changed a byte of the rings' memory or
            entered the kernel; a death after any other instruction is equivalent to one before it. With
            `--steps all`, one end dies after each observable instruction and after each 25th part of the
            operation, and in operations of up to 1,000 instructions after every instruction, each time in a
            new pair of processes. With `some`, it dies after each 25th part. Libc copies without the
            processor's repeated move, in which each byte would count as an instruction.""";

    /** At which instructions a process is killed. The names are those of the option. */
    enum Extent {
        none,
        some,
        all
    }

    private Steps() {}

    /** Prints a line for each operation; returns whether the surviving peer behaved correctly in all. */
    static boolean run(NativePrograms programs, Extent extent, Consumer<String> output)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(programs.file("tests/stepping/stepping_test").toString()).redirectErrorStream(true);
        builder.environment().put("JUROM_LONG", Boolean.toString(extent == Extent.all));
        var process = builder.start();
        var lines = new ArrayList<String>();
        try (var reader = process.inputReader()) {
            reader.lines().forEach(lines::add);
        }
        var passed = process.waitFor() == 0;
        output.accept("one end of a channel, step by step: "
                + (passed ? "0 violations" : "VIOLATIONS; the output of stepping_test follows"));
        lines.stream().filter(line -> line.contains(TRIED) || !passed).forEach(line -> output.accept("    " + line));
        return passed;
    }
}
