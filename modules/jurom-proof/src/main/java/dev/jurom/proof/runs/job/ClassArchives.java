// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Class data sharing archives for the JVMs of the runs, since their start takes most of the time of a run.
 * They are created once by executing a few runs.
 *
 * @param directory the directory of the archives
 * @param jars the jars of the classes; archives older than a jar are invalid
 */
record ClassArchives(Path directory, List<Path> jars) {

    private static final String ENDING = ".jsa";
    private static final String UNFINISHED = ".new";

    /** Returns whether valid archives exist for the given programs. */
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

    /** Returns the JVM options that use the archive of a program. */
    List<String> using(Class<?> program) {
        return flags("-XX:SharedArchiveFile=" + file(program, ENDING));
    }

    /** Returns the JVM options that create the archive of a program at exit. */
    List<String> making(Class<?> program) {
        return flags("-XX:ArchiveClassesAtExit=" + file(program, UNFINISHED));
    }

    private static List<String> flags(String flag) {
        return List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off", flag);
    }

    /** Renames the created archives. A JVM without an archive starts more slowly. */
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
