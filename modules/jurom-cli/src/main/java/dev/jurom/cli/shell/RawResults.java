// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes the results of a measurement for other programs. The file has a JSON object per line, of which the first
 * describes the measurement and the machine, so that an aborted measurement leaves its completed rounds. Distributions
 * are in the log format of HdrHistogram, in a second file whose name ends with {@code .hlog}. This class is not
 * thread-safe.
 */
public final class RawResults implements AutoCloseable {

    private final Path file;
    private final Writer lines;
    private final String description;
    private PrintStream log; // null until a distribution is added
    private HistogramLogWriter histograms;

    /**
     * Creates the file, replacing an existing one, and writes the first line.
     *
     * @param file the file of the JSON objects
     * @param measurement the values that describe the measurement, by name
     * @throws UncheckedIOException if the file cannot be written
     */
    public RawResults(Path file, Map<String, ?> measurement) {
        this.file = file;
        var first = new LinkedHashMap<String, Object>(measurement);
        first.put("started", Instant.now().toString());
        first.putAll(Machine.properties());
        description = Json.of(first);
        try {
            lines = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw failure(file, e);
        }
        write(description);
    }

    private static UncheckedIOException failure(Path file, IOException why) {
        return new UncheckedIOException("The file " + file + " cannot be written: " + why, why);
    }

    private void write(String line) {
        try {
            lines.append(line).append('\n').flush();
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    /**
     * Writes an object.
     *
     * @param values its values, by name
     * @throws UncheckedIOException if the file cannot be written
     */
    public void add(Map<String, ?> values) {
        write(Json.of(values));
    }

    /**
     * Writes a histogram to the log. Its start and end must be set.
     *
     * @param name the name of the distribution, in which the log replaces characters that its format reserves
     * @param nanos a histogram of nanoseconds
     * @throws UncheckedIOException if the log cannot be written
     */
    public void add(String name, Histogram nanos) {
        if (log == null) {
            startLog();
        }
        nanos.setTag(name.replaceAll("[,\\s]+", "_"));
        histograms.outputIntervalHistogram(nanos);
        if (log.checkError()) { // which flushes; print streams do not throw
            throw failure(logFile(), new IOException("the disk may be full"));
        }
    }

    private Path logFile() {
        return file.resolveSibling(file.getFileName() + ".hlog");
    }

    private void startLog() {
        try {
            log = new PrintStream(Files.newOutputStream(logFile()));
        } catch (IOException e) {
            throw failure(logFile(), e);
        }
        histograms = new HistogramLogWriter(log);
        histograms.outputComment("[" + description + "]");
        histograms.outputLogFormatVersion();
        histograms.outputLegend();
    }

    /**
     * Closes the files.
     *
     * @throws UncheckedIOException if a part could not be written
     */
    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
        try {
            lines.close();
        } catch (IOException e) {
            throw failure(file, e);
        }
    }
}
