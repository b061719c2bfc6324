// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Jobs of several processes, started by a real launcher. */
public final class Mpirun {

    private static final int DEADLINE_SECONDS = 50; // the launcher then ends all ranks

    private Mpirun() {
    }

    /** Skips the test, with one line that says so, where there is no launcher. */
    public static void require() {
        var found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "mpirun")));
        if (!found) {
            System.out.println("Skipped: the tests of launched jobs, as there is no mpirun here.");
        }
        Assumptions.assumeTrue(found, "no mpirun is installed");
    }

    /** Runs a command line as every rank of a job; gives what they print and how the job ends. */
    public static Command.Result run(int ranks, List<String> command) {
        var words = new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe",
                "--timeout", Integer.toString(DEADLINE_SECONDS), "-n", Integer.toString(ranks)));
        words.addAll(command);
        return Command.execute(words);
    }
}
