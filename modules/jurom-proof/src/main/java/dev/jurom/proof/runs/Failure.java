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

/** Reports a failed run: the command that repeats it, its faults, its violations and its files. */
final class Failure {

    private static final int MAX_PRINTED = 8; // violations

    private final Outcome outcome;
    private final Job job;

    Failure(Outcome outcome, Job job) {
        this.outcome = outcome;
        this.job = job;
    }

    /** Reports the failure. */
    void report(Consumer<String> output) {
        var lines = new ArrayList<String>();
        lines.add(outcome.plan().command());
        outcome.violations().stream().limit(MAX_PRINTED).forEach(violation -> lines.add("  " + violation));
        if (outcome.violations().size() > MAX_PRINTED) {
            lines.add("  and " + (outcome.violations().size() - MAX_PRINTED) + " more");
        }
        outcome.plan().schedule().forEach(fault -> lines.add("  fault: " + fault));
        lines.add("  files kept in " + keep());
        output.accept(String.join("\n", lines));
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
}
