// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.woven.WovenJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The programs of the runs.
 *
 * @param software the prefix of the software DOCA with fault points
 * @param hosts the program that forks C hosts
 * @param woven the jar of Java classes with fault points, which precedes the original classes on the class path
 */
public record Installation(Path software, Path hosts, Path woven) {

    /** Returns the programs that {@code scripts/urom} has built in a repository. */
    public static Installation in(Path root) {
        var target = root.toAbsolutePath().normalize().resolve("target");
        return new Installation(
                target.resolve("faults"), require(target.resolve("native-faults/fault_hosts/fault_hosts")), wovenJar());
    }

    private static Stream<Path> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize());
    }

    /** Returns the first woven jar of the class path. A build with a reintroduced defect has its own jar there. */
    private static Path wovenJar() {
        return classPath()
                .map(entry ->
                        Files.isDirectory(entry) ? entry.resolve(WovenJar.NAME) : entry.resolveSibling(WovenJar.NAME))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FILE,
                        WovenJar.NAME + " is not on the class path: start this command with scripts/urom"));
    }

    private static Path require(Path file) {
        if (!Files.exists(file)) {
            throw new CommandFailure(
                    ExitCode.FILE, file + " does not exist: start this command with scripts/urom, which builds it");
        }
        return file;
    }
}
