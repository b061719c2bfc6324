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

/** An attacking process, src/test/c/hostile/hostile_peer.c. */
final class HostilePeer implements AutoCloseable {

    private static final int END_SECONDS = 10;
    private static final int WORDS = 6;

    private final Process process;
    private final PrintStream commands;
    private final BufferedReader lines;

    /** The number of attacks by outcome. */
    record Outcomes(long answered, long closed, long ignored, long late) {

        static final Outcomes NONE = new Outcomes(0, 0, 0, 0);

        Outcomes plus(Outcomes other) {
            return new Outcomes(
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
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        lines = new BufferedReader(process.inputReader());
    }

    void begin(long count) {
        commands.println("attack " + count);
    }

    /** Waits until the attacks are done, and adds their outcomes by kind. */
    void await(Map<String, Outcomes> outcomes) throws IOException {
        for (var line = lines.readLine(); !"done".equals(line); line = lines.readLine()) {
            if (line == null) {
                throw new IllegalStateException("a hostile peer exited unexpectedly");
            }
            var words = line.split(" ", WORDS);
            outcomes.merge(
                    words[5],
                    new Outcomes(
                            Long.parseLong(words[1]),
                            Long.parseLong(words[2]),
                            Long.parseLong(words[3]),
                            Long.parseLong(words[4])),
                    Outcomes::plus);
        }
    }

    @Override
    public void close() {
        commands.close();
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
