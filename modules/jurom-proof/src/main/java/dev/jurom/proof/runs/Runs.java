// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Progress;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.runs.job.Installation;
import dev.jurom.proof.runs.job.Job;
import dev.jurom.proof.runs.job.Outcome;
import dev.jurom.proof.runs.job.SharedNames;
import dev.jurom.proof.runs.plan.Planner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Executes many runs concurrently. */
final class Runs {

    private static final int MAX_FAILURES = 5; // further failures rarely add information

    private final long seed;
    private final Installation installation;
    private final Consumer<String> output;
    private final boolean history;
    private final Tally tally = new Tally();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Progress progress = new Progress();

    Runs(long seed, Installation installation, Consumer<String> output, boolean history) {
        this.history = history;
        this.seed = seed;
        this.installation = installation;
        this.output = output;
    }

    /** Executes the runs and reports each failed one. */
    Tally run(List<Integer> numbers, int jobs) throws IOException, InterruptedException {
        var names = SharedNames.before();
        var directory = Files.createTempDirectory("jurom-runs-");
        try (var threads = Executors.newFixedThreadPool(
                jobs, Thread.ofPlatform().inheritInheritableThreadLocals(false).factory())) {
            var parts = new ExecutorCompletionService<Void>(threads);
            for (var i = 0; i < jobs; i++) {
                var own = directory.resolve("job-" + i);
                parts.submit(() -> work(own, numbers));
            }
            for (var i = 0; i < jobs; i++) {
                parts.take().get();
            }
        } catch (ExecutionException e) {
            throw new CommandFailure(
                    ExitCode.UNEXPECTED,
                    "a job failed, its files are in " + directory + ": "
                            + e.getCause().getMessage(),
                    e);
        } finally {
            progress.clear();
        }
        Folders.delete(directory);
        if (tally.passes()) { // the files of failed runs are kept
            tally.add(names.added());
        }
        return tally;
    }

    private void printHistory(Outcome outcome) {
        var lines = new ArrayList<String>();
        lines.add("run " + outcome.plan().run());
        outcome.plan().schedule().forEach(fault -> lines.add("  " + fault));
        outcome.history().forEach(event -> lines.add("  " + event));
        outcome.log().forEach(line -> lines.add("  " + line));
        output.accept(String.join("\n", lines));
    }

    private Void work(Path directory, List<Integer> numbers) {
        try (var job = new Job(directory, installation)) {
            for (var at = next.getAndIncrement();
                    at < numbers.size() && failures.get() < MAX_FAILURES;
                    at = next.getAndIncrement()) {
                var outcome = job.run(Planner.draw(seed, numbers.get(at)));
                tally.add(outcome);
                if (history) {
                    printHistory(outcome);
                }
                if (!outcome.passes()) {
                    failures.incrementAndGet();
                    new Failure(outcome, job).report(output);
                }
                synchronized (progress) {
                    progress.show("run", at + 1, numbers.size());
                }
            }
            job.growth().ifPresent(tally::add);
        }
        return null;
    }
}
