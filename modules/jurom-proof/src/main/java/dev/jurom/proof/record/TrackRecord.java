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
 * {@code scripts/urom faults --prove}: brings each defect on record back in a copy of the sources,
 * and has seeded runs look for it.
 */
final class TrackRecord {

    private static final int RUNS = 100;
    private static final int AS_IS = 3; // times that a run which finds a defect is repeated without
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration TO_END = Duration.ofSeconds(5);
    private static final int KILLED = 128 + 9; // when that time is over

    private final Path root;
    private final long seed;
    private final Consumer<String> say;
    private final Table table = Table.of("defect", "build", "run", "seconds", "first_seen_by");
    /** The runs in which something does not hold as the sources are: they find no defect. */
    private final Set<Integer> ignored = new TreeSet<>();

    private int missed;

    /**
     * Nothing proven yet.
     *
     * @param root the repository, where scripts/build-faults was run
     * @param seed of the runs
     * @param say is told how it goes
     */
    TrackRecord(Path root, long seed, Consumer<String> say) {
        this.root = root.toAbsolutePath().normalize();
        this.seed = seed;
        this.say = say;
    }

    /** Brings back the one of that name, or all if it is empty; whether runs have found each. */
    boolean prove(String name) throws IOException, InterruptedException {
        var chosen = Defect.all(root).stream()
                .filter(defect -> name.isEmpty() || defect.name().equals(name))
                .toList();
        if (chosen.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "No defect on record is called \"" + name + "\": src/test/faults has those that are");
        }
        var build = new DefectBuild(new ScratchCopy(root, root.resolve("target/prove/copy")), root);
        makeArchives();
        for (var defect : chosen) {
            prove(defect, build.build(defect));
        }
        return missed == 0;
    }

    /** With a defect it would take long, or not succeed. */
    private void makeArchives() throws IOException {
        var files = Files.createTempDirectory("jurom-prove-");
        Job.makeArchives(files.resolve("archives"), Installation.in(root));
        Folders.delete(files);
    }

    private void prove(Defect defect, DefectBuild.Built built) throws IOException, InterruptedException {
        var begin = System.nanoTime();
        var found = look(built);
        var seconds = String.format(Locale.ROOT, "%.1f", (System.nanoTime() - begin) / 1e9);
        missed += found.isPresent() ? 0 : 1;
        table.row(
                defect.name(),
                defect.language() == Defect.Language.C ? "C" : "Java",
                found.<Object>map(FoundRun::run).orElse("-"),
                seconds,
                found.map(FoundRun::violation).orElse("NOT FOUND; tests: " + defect.foundBy()));
        say.accept(found.map(it -> defect.name() + ": found at run " + it.run() + " after " + seconds + " s: "
                        + it.violation() + "\n  " + it.command())
                .orElse(defect.name() + ": not found in " + RUNS + " runs, " + seconds + " s"));
    }

    /** The first run that finds it, and in which all holds as the sources are. */
    private Optional<FoundRun> look(DefectBuild.Built built) throws IOException, InterruptedException {
        var files = Files.createTempDirectory("jurom-prove-");
        var runs = begin(built, files, "--runs", String.valueOf(RUNS));
        var timer = Thread.ofVirtual().start(() -> endAfter(runs, LONGEST));
        try (var output = runs.inputReader()) {
            var found = FoundRun.firstOf(output, ignored);
            while (found.isPresent() && !holdsAsIs(found.get())) {
                found = FoundRun.firstOf(output, ignored);
            }
            if (found.isEmpty()
                    && !List.of(ExitCode.DONE, ExitCode.FOUND_WRONG, KILLED).contains(runs.waitFor())) {
                throw new CommandFailure(
                        ExitCode.UNEXPECTED,
                        "The runs did not run: exit code " + runs.exitValue() + " with the sources in " + built.root());
            }
            return found;
        } finally {
            end(runs);
            timer.interrupt();
            Folders.delete(files);
        }
    }

    /** Otherwise it is not the defect that was found. */
    private boolean holdsAsIs(FoundRun found) throws IOException, InterruptedException {
        var files = Files.createTempDirectory("jurom-prove-");
        var runs = begin(
                new DefectBuild.Built(root, System.getProperty("java.class.path")),
                files,
                "--run",
                String.valueOf(found.run()),
                "--times",
                String.valueOf(AS_IS));
        try (var output = runs.inputReader()) {
            var other = FoundRun.firstOf(output, ignored);
            if (other.isPresent()) {
                ignored.add(found.run());
                say.accept("as the sources are, run " + found.run() + " fails, and so finds no" + " defect: "
                        + other.get().violation());
            }
            return other.isEmpty();
        } finally {
            end(runs);
            Folders.delete(files);
        }
    }

    /** In a JVM of its own, and so with the classes that a defect has changed. */
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
            Thread.currentThread().interrupt(); // it has ended
        }
    }

    /** With all that it has started. */
    private static void end(Process runs) {
        var all = runs.descendants().toList();
        runs.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        Stream.concat(Stream.of(runs.toHandle()), all.stream())
                .forEach(process -> process.onExit()
                        .completeOnTimeout(process, TO_END.toSeconds(), TimeUnit.SECONDS)
                        .join());
    }

    /** What was found, defect by defect. */
    List<String> lines() {
        var lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add(table.lines().size() - 1 - missed + " of " + (table.lines().size() - 1)
                + " defects were found within " + RUNS + " runs of seed " + seed);
        return lines;
    }
}
