// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * What the JVMs of runs have loaded, in files that the next of them map: most of what a run costs
 * is the start of its JVMs. They are made once, by a crew that does a few runs for it.
 *
 * @param directory where they are
 * @param jars of the classes: archives are of no use if one is newer
 */
record ClassArchives(Path directory, List<Path> jars) {

    private static final String ENDING = ".jsa";
    private static final String UNFINISHED = ".new";

    /** Whether there are some for all these programs. */
    boolean areCurrent(List<Class<?>> programs) throws IOException {
        for (var program : programs) {
            var file = file(program, ENDING);
            if (!Files.exists(file)) {
                return false;
            }
            for (var jar : jars) {
                if (Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** How a JVM uses the one of its program. */
    List<String> using(Class<?> program) {
        return flags("-XX:SharedArchiveFile=" + file(program, ENDING));
    }

    /** How a JVM makes the one of its program when it ends. */
    List<String> making(Class<?> program) {
        return flags("-XX:ArchiveClassesAtExit=" + file(program, UNFINISHED));
    }

    private static List<String> flags(String flag) {
        return List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off", flag);
    }

    /** Puts those in place that have been made: a JVM that cannot make one starts without it. */
    void finish(List<Class<?>> programs) throws IOException {
        for (var program : programs) {
            var made = file(program, UNFINISHED);
            if (Files.exists(made)) {
                Files.move(made, file(program, ENDING), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private Path file(Class<?> program, String ending) {
        return directory.resolve(program.getSimpleName() + ending);
    }
}
