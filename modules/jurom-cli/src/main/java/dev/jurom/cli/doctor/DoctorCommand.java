// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.cli.shell.CheckResult;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.cli.shell.Table;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urom doctor}: checks every precondition and prints how to fix a missing one. */
@Command(
        name = "doctor",
        description = "Checks all preconditions of offloading, from the JDK to the round trip of a command, and"
                + " prints how to fix each failure.")
public final class DoctorCommand implements Callable<Integer> {

    private static final int NAME_WIDTH = 15;
    private static final String INDENT = " ".repeat(6 + NAME_WIDTH);

    @Mixin
    private ServiceOption service;

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            description = "Also start a worker with each plugin of this folder, on a private service.")
    private Path plugins;

    @Mixin
    private Output output;

    DoctorCommand() {} // created by picocli

    @Override
    public Integer call() {
        var findings = new Findings(this::print);
        MachineChecks.run(findings);
        if (DocaChecks.run(findings)) {
            new ServiceChecks(findings).run(service);
            if (plugins != null) {
                PluginCheck.run(plugins, findings);
            }
        }
        var failed = findings.count(CheckResult.FAIL);
        if (output.isJson()) {
            var table = Table.of("name", "result", "what", "fix");
            findings.all().forEach(it -> table.row(it.name(), it.result().word(), it.what(), it.fix()));
            output.print(table);
        } else {
            System.out.println(
                    failed == 0
                            ? "Nothing fails; warnings: " + findings.count(CheckResult.WARN) + "."
                            : failed + (failed == 1 ? " check fails." : " checks fail."));
        }
        return failed == 0 ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }

    private void print(Finding finding) {
        if (!output.isJson()) {
            System.out.printf(
                    "%s  %-" + NAME_WIDTH + "s%s%n", finding.result().coloured(), finding.name(), finding.what());
            finding.fix().ifPresent(fix -> System.out.println(INDENT + "fix: " + fix));
        }
    }
}
