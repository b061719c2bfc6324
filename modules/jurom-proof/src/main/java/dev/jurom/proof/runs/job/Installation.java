// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The programs of runs.
 *
 * @param software the prefix of the software DOCA with fault points
 * @param hosts the program that forks C hosts
 * @param agent what weaves fault points into a service
 */
public record Installation(Path software, Path hosts, Path agent) {

    /** The one in a repository that {@code scripts/urom} has built. */
    public static Installation in(Path root) {
        var target = root.toAbsolutePath().normalize().resolve("target");
        return new Installation(target.resolve("faults"),
                require(target.resolve("native-faults/fault_hosts/fault_hosts")),
                require(root.toAbsolutePath().normalize()
                        .resolve("modules/jurom-proof/target/jurom-faults-agent.jar")));
    }

    private static Path require(Path file) {
        if (!Files.exists(file)) {
            throw new CommandFailure(ExitCode.FILE, file
                    + " is not there: start this command by scripts/urom, which builds it");
        }
        return file;
    }
}
