// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.report.ReliabilityPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports the lines that were not reached, as the last part of {@code scripts/test --coverage}. */
@Command(name = "coverage", description = "Print the coverage of the C and Java sources.")
public final class CoverageCommand implements Callable<Integer> {

    private static final String HEADING = """
            # Unreached lines

            The lines of handwritten sources that no test or fault run reached in the last execution of
            `scripts/test --coverage --write`; the files with most of them first. Lines that run only in
            killed processes are listed as well, because a killed process does not write its counts.

            """;

    @Option(names = "--root", required = true, description = "Root of the repository.")
    private Path root;

    @Option(
            names = "--c",
            paramLabel = "BUILD",
            description = "A build with -DJUROM_COVERAGE=ON, after the execution of its tests.")
    private List<Path> builds = new ArrayList<>();

    @Option(names = "--java", paramLabel = "FILE", description = "XML report of JaCoCo.")
    private List<Path> reports = new ArrayList<>();

    @Option(names = "--write", description = "Write the output to docs/reliability.md and docs/unreached.md.")
    private boolean write;

    private CoverageCommand() {}

    @Override
    public Integer call() throws IOException {
        var lines = new SourceLines();
        for (var build : builds) {
            GcovReport.read(root, build.toAbsolutePath(), lines);
        }
        for (var report : reports) {
            JacocoReport.read(root, report, sourceFolders(), lines);
        }
        var report = new CoverageReport(lines);
        var summary = String.join("\n", report.summary());
        System.out.println(summary);
        if (write) {
            Files.writeString(
                    root.resolve("docs/unreached.md"),
                    HEADING
                            + String.join(
                                    "\n",
                                    report.unreached().stream()
                                            .map(it -> "- " + it)
                                            .toList())
                            + "\n");
            ReliabilityPage.write(
                    root.resolve("docs/reliability.md"),
                    "coverage",
                    "## Coverage\n\n`scripts/test --coverage --write`; line by line in"
                            + " [unreached.md](unreached.md).\n\n```\n" + summary + "\n```");
        }
        return Arrays.stream(CoverageReport.Goal.values()).allMatch(report::isReached)
                ? ExitCode.DONE
                : ExitCode.FOUND_WRONG;
    }

    /** Returns the folders of handwritten Java sources, relative to the root. */
    private List<String> sourceFolders() throws IOException {
        var folders = new ArrayList<>(List.of("src/main/java", "src/testing/java"));
        try (var modules = Files.list(root.resolve("modules"))) {
            modules.filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                    .sorted()
                    .forEach(module -> folders.add("modules/" + module.getFileName() + "/src/main/java"));
        }
        return folders;
    }
}
