// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.woven.WovenJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The programs of runs.
 *
 * @param software the prefix of the software DOCA with fault points
 * @param hosts the program that forks C hosts
 * @param woven the Java classes with fault points, which come before those without
 * @param archives of the classes of its Java programs
 */
public record Installation(Path software, Path hosts, Path woven, ClassArchives archives) {

    private static final String JAR = "jurom-proof.jar";

    /** The one in a repository that {@code scripts/urom} has built. */
    public static Installation in(Path root) {
        var target = root.toAbsolutePath().normalize().resolve("target");
        var jar = ownJar();
        var woven = wovenJar();
        return new Installation(
                target.resolve("faults"),
                require(target.resolve("native-faults/fault_hosts/fault_hosts")),
                woven,
                new ClassArchives(woven.getParent(), List.of(jar, woven)));
    }

    private static Stream<Path> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize());
    }

    /** The first one: who changes classes has changed those of it, too. */
    private static Path wovenJar() {
        return classPath()
                .map(entry ->
                        Files.isDirectory(entry) ? entry.resolve(WovenJar.NAME) : entry.resolveSibling(WovenJar.NAME))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FILE,
                        WovenJar.NAME + " is in no folder of the class path: start this command by" + " scripts/urom"));
    }

    /** Where this class is from; the C side may be another's. */
    private static Path ownJar() {
        return classPath()
                .filter(entry -> entry.endsWith(JAR))
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FILE, JAR + " is not on the class path: start this command by scripts/urom"));
    }

    private static Path require(Path file) {
        if (!Files.exists(file)) {
            throw new CommandFailure(
                    ExitCode.FILE, file + " is not there: start this command by scripts/urom, which builds it");
        }
        return file;
    }
}
