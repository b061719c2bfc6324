// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.shell.RawResults;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that writes each round to a file. */
final class RawOption implements AutoCloseable {

    @Option(
            names = "--raw",
            paramLabel = "FILE",
            description = "Write each round as a JSON object per line, after one for the commit and the machine, and"
                    + " distributions as a log of HdrHistogram to FILE.hlog.")
    private Path file;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private RawResults results;

    /** Starts the file, if it is requested, and returns this. */
    RawOption open() {
        if (file == null) {
            return this;
        }
        var measurement = new LinkedHashMap<String, Object>();
        measurement.put("measurement", command.name());
        measurement.put("arguments", command.commandLine().getParseResult().originalArgs());
        measurement.put("commit", System.getProperty("jurom.bench.commit"));
        measurement.put("runtime", Machine.runtime());
        results = new RawResults(file, measurement);
        return this;
    }

    /** Writes an object. */
    void add(Map<String, ?> values) {
        if (results != null) {
            results.add(values);
        }
    }

    /** Writes a histogram to the log. */
    void add(String name, Histogram nanos) {
        if (results != null) {
            results.add(name, nanos);
        }
    }

    @Override
    public void close() {
        if (results != null) {
            results.close();
        }
    }
}
