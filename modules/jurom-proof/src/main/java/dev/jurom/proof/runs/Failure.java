// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.proof.process.Folders;
import dev.jurom.proof.runs.job.Job;
import dev.jurom.proof.runs.job.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.function.Consumer;

/** A run in which something did not hold: what repeats it, what is kept, and what it comes down to. */
final class Failure {

    private static final int MOST = 8; // violations that are printed

    private final Outcome outcome;
    private final Job job;

    Failure(Outcome outcome, Job job) {
        this.outcome = outcome;
        this.job = job;
    }

    /** Says it all; takes as long as it takes to shrink the schedule. */
    void report(Consumer<String> say) {
        var lines = new ArrayList<String>();
        lines.add(outcome.plan().command());
        outcome.violations().stream().limit(MOST).forEach(what -> lines.add("  " + what));
        if (outcome.violations().size() > MOST) {
            lines.add("  and " + (outcome.violations().size() - MOST) + " more");
        }
        lines.add("  kept in " + keep());
        say.accept(String.join("\n", lines));
        say.accept(outcome.plan().command() + ":\n" + String.join("\n", shrunk()));
    }

    private String keep() {
        try {
            var folder = Files.createTempDirectory("jurom-failed-run-");
            Folders.copy(job.directory(), folder.resolve("files"));
            Files.write(folder.resolve("schedule"), outcome.plan().schedule());
            Files.write(
                    folder.resolve("hosts"),
                    outcome.plan().hosts().stream().map(host -> host.line()).toList());
            Files.write(folder.resolve("history"), outcome.history());
            Files.write(folder.resolve("log"), outcome.log());
            Files.write(folder.resolve("violations"), outcome.violations());
            return folder.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ArrayList<String> shrunk() {
        var shrinking = new Shrinking(outcome.plan(), job);
        var lines = new ArrayList<String>();
        if (!shrinking.repeats()) {
            lines.add("  it did not come again in " + Shrinking.ATTEMPTS + " attempts; its" + " schedule:");
        } else {
            lines.add("  the smallest schedule that shows it:");
        }
        var schedule = shrinking.smallest().schedule();
        schedule.forEach(fault -> lines.add("    " + fault));
        if (schedule.isEmpty()) {
            lines.add("    no fault at all");
        }
        return lines;
    }
}
