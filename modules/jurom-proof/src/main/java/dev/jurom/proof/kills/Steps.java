// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.NativePrograms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.function.Consumer;

/** Deaths that only the kernel can time: src/test/c/stepping/stepping_test.c. */
final class Steps {

    private static final String TRIED = "; killed after ";

    /** What the lines of {@link #run} mean. */
    static final String EXPLANATION = """
            An act has every instruction of one end, those of libc included; a system call is one. The other
            end can see an instruction that changed a byte of the rings' memory or entered the kernel: a death
            after any other is, for it, the death before. `--steps all` has one end die after each instruction
            that the other can see and each 25th part of the act, and in acts of up to 1,000 instructions after
            every one; a fresh pair of processes for each. `some`: after each 25th part. Libc copies
            without the processor's repeated move, of which each byte would be an instruction.""";

    /** How many instructions are tried; named as the option has them. */
    enum Extent {
        none,
        some,
        all
    }

    private Steps() {}

    /** Prints a line for each of the acts that it has a process die in. False: a peer was not fine. */
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
                + (passed ? "0 violations" : "VIOLATIONS, of which stepping_test prints"));
        lines.stream().filter(line -> line.contains(TRIED) || !passed).forEach(line -> output.accept("    " + line));
        return passed;
    }
}
