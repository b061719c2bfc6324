// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Table;
import dev.jurom.proof.ProofCommand;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.runs.job.Installation;
import dev.jurom.proof.runs.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * {@code scripts/urom faults --prove}: reintroduces each recorded defect in a copy of the sources, and checks
 * whether seeded runs find it.
 */
final class TrackRecord {

    private static final int RUNS = 100;
    private static final int REPETITIONS = 3; // repetitions without the defect of a run that found it
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration TO_END = Duration.ofSeconds(5);
    private static final int KILLED = 128 + 9; // exit status after the timeout

    private final Path root;
    private final long seed;
    private final Consumer<String> report;
    private final Table table = Table.of("defect", "build", "run", "seconds", "first_seen_by");
    /** Runs that fail with the unchanged sources too, and therefore find no defect. */
    private final Set<Integer> ignored = new TreeSet<>();

    private int missed;

    /**
     * Creates an empty record.
     *
     * @param root the repository, in which scripts/build-faults was run
     * @param seed the seed of the runs
     * @param report receives messages about the progress
     */
    TrackRecord(Path root, long seed, Consumer<String> report) {
        this.root = root.toAbsolutePath().normalize();
        this.seed = seed;
        this.report = report;
    }

    /** Reintroduces the named defect, or all if the name is empty; returns whether the runs found each. */
    boolean prove(String name) throws IOException, InterruptedException {
        var chosen = Defect.all(root).stream()
                .filter(defect -> name.isEmpty() || defect.name().equals(name))
                .toList();
        if (chosen.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "no recorded defect is named \"" + name
                            + "\"; the names are those of the files in src/test/faults");
        }
        var build = new DefectBuild(new ScratchCopy(root, root.resolve("target/prove/copy")), root);
        makeArchives();
        for (var defect : chosen) {
            prove(defect, build.build(defect));
        }
        return missed == 0;
    }

    /** Creates the class archives with the unchanged sources: with a defect, it might take long or fail. */
    private void makeArchives() throws IOException {
        var files = Files.createTempDirectory("jurom-prove-");
        Job.makeArchives(files.resolve("archives"), Installation.in(root));
        Folders.delete(files);
    }

    private void prove(Defect defect, DefectBuild.Built built) throws IOException, InterruptedException {
        var begin = System.nanoTime();
        var found = search(built);
        var seconds = String.format(Locale.ROOT, "%.1f", (System.nanoTime() - begin) / 1e9);
        missed += found.isPresent() ? 0 : 1;
        table.row(
                defect.name(),
                defect.language() == Defect.Language.C ? "C" : "Java",
                found.<Object>map(FailedRun::run).orElse("-"),
                seconds,
                found.map(FailedRun::violation).orElse("NOT FOUND; tests: " + defect.foundBy()));
        report.accept(found.map(it -> defect.name() + ": found in run " + it.run() + " after " + seconds + " s: "
                        + it.violation() + "\n  " + it.command())
                .orElse(defect.name() + ": not found in " + RUNS + " runs, " + seconds + " s"));
    }

    /** Returns the first run that fails with the defect and passes without it. */
    private Optional<FailedRun> search(DefectBuild.Built built) throws IOException, InterruptedException {
        var files = Files.createTempDirectory("jurom-prove-");
        var runs = begin(built, files, "--runs", String.valueOf(RUNS));
        var timer = Thread.ofVirtual().start(() -> endAfter(runs, LONGEST));
        try (var output = runs.inputReader()) {
            var found = FailedRun.firstOf(output, ignored);
            while (found.isPresent() && !passesUnchanged(found.get())) {
                found = FailedRun.firstOf(output, ignored);
            }
            if (found.isEmpty()
                    && !List.of(ExitCode.DONE, ExitCode.FOUND_WRONG, KILLED).contains(runs.waitFor())) {
                throw new CommandFailure(
                        ExitCode.UNEXPECTED,
                        "the runs could not be executed: exit code " + runs.exitValue() + " with the sources in "
                                + built.root());
            }
            return found;
        } finally {
            end(runs);
            timer.interrupt();
            Folders.delete(files);
        }
    }

    /** Returns whether a run passes with the unchanged sources. If it fails, it does not find the defect. */
    private boolean passesUnchanged(FailedRun found) throws IOException, InterruptedException {
        var files = Files.createTempDirectory("jurom-prove-");
        var runs = begin(
                new DefectBuild.Built(root, System.getProperty("java.class.path")),
                files,
                "--run",
                String.valueOf(found.run()),
                "--times",
                String.valueOf(REPETITIONS));
        try (var output = runs.inputReader()) {
            var other = FailedRun.firstOf(output, ignored);
            if (other.isPresent()) {
                ignored.add(found.run());
                report.accept("ignoring run " + found.run() + ", which fails with the unchanged sources too: "
                        + other.get().violation());
            }
            return other.isEmpty();
        } finally {
            end(runs);
            Folders.delete(files);
        }
    }

    /** Starts the runs in a separate JVM, with the changed classes. */
    private Process begin(DefectBuild.Built built, Path files, String... which) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djurom.source=" + built.root(),
                "-Djava.io.tmpdir=" + files,
                "-cp",
                built.classPath(),
                ProofCommand.class.getName(),
                "faults",
                "--seed",
                String.valueOf(seed)));
        command.addAll(List.of(which));
        return new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static void endAfter(Process runs, Duration time) {
        try {
            if (!runs.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
                end(runs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the runs have ended
        }
    }

    /** Kills the runs and all descendant processes. */
    private static void end(Process runs) {
        var all = runs.descendants().toList();
        runs.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        Stream.concat(Stream.of(runs.toHandle()), all.stream())
                .forEach(process -> process.onExit()
                        .completeOnTimeout(process, TO_END.toSeconds(), TimeUnit.SECONDS)
                        .join());
    }

    /** Returns a table with a line per defect. */
    List<String> lines() {
        var lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add(table.lines().size() - 1 - missed + " of " + (table.lines().size() - 1)
                + " defects were found within " + RUNS + " runs of seed " + seed);
        return lines;
    }
}
