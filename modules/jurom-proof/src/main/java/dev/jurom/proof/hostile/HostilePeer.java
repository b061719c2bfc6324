// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.hostile;

import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that attacks, src/test/c/hostile/hostile_peer.c. */
final class HostilePeer implements AutoCloseable {

    private static final int END_SECONDS = 10;
    private static final int WORDS = 6;

    private final Process process;
    private final PrintStream orders;
    private final BufferedReader lines;

    /** How what was done ended, by counts. */
    record Endings(long answered, long closed, long ignored, long late) {

        static final Endings NONE = new Endings(0, 0, 0, 0);

        Endings plus(Endings other) {
            return new Endings(
                    answered + other.answered, closed + other.closed, ignored + other.ignored, late + other.late);
        }

        long all() {
            return answered + closed + ignored + late;
        }
    }

    HostilePeer(NativePrograms programs, ServiceProcess service, Path key, long neighbour, long seed)
            throws IOException {
        process = new ProcessBuilder(
                        programs.file("tests/hostile/hostile_peer").toString(),
                        service.socket().toString(),
                        Integer.toString(service.port(1)),
                        key.toString(),
                        Long.toString(neighbour),
                        Long.toUnsignedString(seed))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        service.folder().resolve("peers.log").toFile()))
                .start();
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        lines = new BufferedReader(process.inputReader());
    }

    void begin(long count) {
        orders.println("attack " + count);
    }

    /** Waits until it has done that, and adds how it ended by kind. */
    void await(Map<String, Endings> endings) throws IOException {
        for (var line = lines.readLine(); !"done".equals(line); line = lines.readLine()) {
            if (line == null) {
                throw new IllegalStateException("A hostile peer has ended by itself");
            }
            var words = line.split(" ", WORDS);
            endings.merge(
                    words[5],
                    new Endings(
                            Long.parseLong(words[1]),
                            Long.parseLong(words[2]),
                            Long.parseLong(words[3]),
                            Long.parseLong(words[4])),
                    Endings::plus);
        }
    }

    @Override
    public void close() {
        orders.close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
