// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scripts/bench report}: executes all measurements on one machine, one after the other. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Execute all other measurements except ab and counters, each in a JVM of its own, and write"
                + " report.md, plots and raw results to a folder. Exits with 1 if a measurement failed or missed a"
                + " goal, which its section states.")
final class ReportCommand implements Callable<Integer> {

    /**
     * A measurement.
     *
     * @param title the title of its section
     * @param isMarkdown whether its output is Markdown
     * @param command its command and arguments; {@code FOLDER} stands for the folder of the report
     * @param quick further arguments for a short run with low precision
     */
    private record Section(String title, boolean isMarkdown, String command, String quick) {}

    private static final List<Section> SECTIONS = List.of(
            new Section("Ratios", true, "ratios --raw FOLDER/ratios.jsonl", "--rounds 1"),
            new Section("Scaling", true, "curves --raw FOLDER/curves.jsonl --plots FOLDER/plots", "--quick"),
            new Section(
                    "Fixed rate", true, "open-loop --raw FOLDER/open-loop.jsonl --plots FOLDER/plots", "--seconds 1"),
            new Section("Threads that share a worker", false, "callers", "--rounds 1 --millis 100"),
            new Section("Threads that share an engine", false, "engines", "--rounds 1 --slices 1 --millis 50"),
            new Section("Commands whose callers leave", false, "cancellation", "--rounds 1"),
            new Section("System calls", true, "syscalls", "--commands 1000"),
            new Section("Plugins in Java", false, "java-plugins", "--rounds 1"),
            new Section("Compression", true, "compression --plots FOLDER/plots", "--rounds 1"),
            new Section("Compressed streams", true, "compression --streams", "--rounds 1"),
            new Section("Lucene", true, "lucene", "--documents 1000 --rounds 1"),
            new Section("Microbenchmarks", true, "jmh --raw FOLDER/jmh.json", "--quick RoundTrip"));

    @Option(names = "--quick", description = "Measure briefly, with low precision, to test the report itself.")
    private boolean quick;

    @Parameters(
            paramLabel = "FOLDER",
            defaultValue = "",
            description = "Folder of the report (default: target/bench/report-DATE).")
    private String given;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var folder = given.isEmpty() ? Page.source("target/bench/report-" + LocalDate.now()) : Path.of(given);
        var text = new StringBuilder("# Measurements\n\n" + Machine.list() + "\n- Commit: "
                + System.getProperty("jurom.bench.commit") + "\n- Load average at the start: " + Machine.load()
                + "\n\nRaw results of some measurements are in files beside this one.\n");
        var failed = false;
        for (var section : SECTIONS) {
            System.err.println("bench: " + section.title);
            failed |= !add(section, folder, text);
            Page.write(folder.resolve("report.md"), text.toString()); // complete up to here if it is aborted
        }
        System.out.println("Report written to " + folder.resolve("report.md"));
        return failed ? 1 : 0;
    }

    /** Executes a measurement and adds its output. Returns whether it succeeded. */
    private boolean add(Section section, Path folder, StringBuilder text) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        var arguments = Stream.of((section.command + (quick ? " " + section.quick : "")).split(" "))
                .map(word -> word.replace("FOLDER", folder.toString()))
                .toList();
        var command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BenchMain.class.getName()));
        command.addAll(arguments);
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var output = new String(process.getInputStream().readAllBytes()).strip();
        var exitCode = process.waitFor();
        text.append("\n## ").append(section.title).append("\n\n`scripts/bench ");
        text.append(String.join(" ", arguments)).append('`');
        text.append(exitCode == 0 ? "" : ", which exited with " + exitCode).append(":\n\n");
        text.append(section.isMarkdown ? output : "```\n" + output + "\n```").append('\n');
        return exitCode == 0;
    }
}
