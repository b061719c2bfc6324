// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Figures of compression on one machine without a DPU. The defaults are those that docs/compression.md documents;
 * {@code scripts/bench compression --write} replaces both.
 *
 * @param blocks zstd in the process, by block size and level
 * @param hostTime CPU time of the application for a block in a worker
 * @param workerTime time of a worker for a block beyond the time that the block takes in the process
 * @param latency time that a worker adds to a single block
 */
public record CompressionFigures(
        SortedMap<Block, InProcess> blocks, Linear hostTime, Linear workerTime, Linear latency) {

    private static final String FILE = "compression.properties";
    private static final double MICRO = 1e-6;
    private static final double MIB = 1 << 20;

    /**
     * A kind of block.
     *
     * @param kibibytes its size
     * @param level the level of zstd
     */
    public record Block(int kibibytes, int level) implements Comparable<Block> {

        @Override
        public int compareTo(Block other) {
            var order = Integer.compare(kibibytes, other.kibibytes);
            return order != 0 ? order : Integer.compare(level, other.level);
        }
    }

    /**
     * Compression in the process.
     *
     * @param bytesPerSecond the throughput of one thread
     * @param ratio the content divided by the output
     */
    public record InProcess(double bytesPerSecond, double ratio) {}

    /**
     * A time that grows with the size of a block.
     *
     * @param perBlock seconds for each block
     * @param perByte seconds for each byte
     */
    public record Linear(double perBlock, double perByte) {

        /**
         * Returns the time for a block.
         *
         * @param bytes the size of the block
         * @return seconds
         */
        public double of(double bytes) {
            return perBlock + perByte * bytes;
        }

        /**
         * Fits a time to measured ones by least squares. Neither part is negative.
         *
         * @param times of at least two sizes
         * @return the time
         */
        public static Linear fit(List<Measured> times) {
            double weights = 0;
            double sizes = 0;
            double squares = 0;
            double values = 0;
            double products = 0;
            for (var time : times) {
                var weight = 1 / (time.scale() * time.scale());
                weights += weight;
                sizes += weight * time.bytes();
                squares += weight * time.bytes() * time.bytes();
                values += weight * time.seconds();
                products += weight * time.bytes() * time.seconds();
            }
            var perByte = (weights * products - sizes * values) / (weights * squares - sizes * sizes);
            if (perByte < 0) {
                return new Linear(Math.max(0, values / weights), 0);
            }
            var perBlock = (values - perByte * sizes) / weights;
            return perBlock >= 0 ? new Linear(perBlock, perByte) : new Linear(0, Math.max(0, products / squares));
        }
    }

    /**
     * A measured time.
     *
     * @param bytes the size of the block
     * @param seconds the time
     * @param scale the time relative to which a difference counts
     */
    public record Measured(double bytes, double seconds, double scale) {}

    /**
     * Returns the documented figures.
     *
     * @return the figures
     */
    public static CompressionFigures documented() {
        var all = new Properties();
        try (var in = CompressionFigures.class.getResourceAsStream(FILE)) {
            all.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var blocks = new TreeMap<Block, InProcess>();
        for (var name : all.stringPropertyNames()) {
            var words = name.split("\\.");
            if (words[0].equals("block")) {
                var values = all.getProperty(name).split(" ");
                blocks.put(
                        new Block(Integer.parseInt(words[1]), Integer.parseInt(words[2])),
                        new InProcess(Double.parseDouble(values[0]) * MIB, Double.parseDouble(values[1])));
            }
        }
        return new CompressionFigures(blocks, linear(all, "host"), linear(all, "worker"), linear(all, "latency"));
    }

    private static Linear linear(Properties all, String name) {
        var values = all.getProperty(name).split(" ");
        return new Linear(Double.parseDouble(values[0]) * MICRO, Double.parseDouble(values[1]) * MICRO / MIB);
    }

    /**
     * Returns the content of the file of the documented figures.
     *
     * @return lines of properties
     */
    public String text() {
        var text = new StringBuilder("""
                # SPDX-License-Identifier: Apache-2.0
                # Written by scripts/bench compression --write: the figures of docs/compression.md.
                # block.KIB.LEVEL: MiB/s of zstd in the process, and the ratio
                # host, worker, latency: microseconds of a block, and of a MiB
                """);
        blocks.forEach((block, figures) -> text.append(String.format(
                Locale.ROOT,
                "block.%d.%d = %.1f %.3f%n",
                block.kibibytes(),
                block.level(),
                figures.bytesPerSecond() / MIB,
                figures.ratio())));
        append(text, "host", hostTime);
        append(text, "worker", workerTime);
        append(text, "latency", latency);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, Linear time) {
        text.append(String.format(
                Locale.ROOT, "%s = %.1f %.1f%n", name, time.perBlock() / MICRO, time.perByte() * MIB / MICRO));
    }

    /**
     * Returns the figures of a block in the process. Sizes between the measured ones have the figures of the next
     * smaller one.
     *
     * @param bytes the size of the block
     * @param level a measured level
     * @return the figures
     * @throws IllegalArgumentException if the level was not measured
     */
    public InProcess inProcess(double bytes, int level) {
        var measured =
                blocks.keySet().stream().filter(block -> block.level() == level).toList();
        if (measured.isEmpty()) {
            throw new IllegalArgumentException("Level " + level + " was not measured; these were: "
                    + String.join(
                            ", ",
                            blocks.keySet().stream()
                                    .map(block -> Integer.toString(block.level()))
                                    .distinct()
                                    .toList()));
        }
        var nearest = measured.stream()
                .filter(block -> block.kibibytes() * 1024.0 <= bytes)
                .reduce((smaller, larger) -> larger)
                .orElse(measured.getFirst());
        return blocks.get(nearest);
    }
}
