// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names in folders that all processes of the machine share, recorded before the first run to detect leaks. */
public final class SharedNames {

    private static final List<Path> FOLDERS = List.of(
            Path.of("/dev/shm"),
            Path.of(System.getProperty("java.io.tmpdir")),
            RuntimeDirectory.base(Credentials.ofThisProcess()));

    /**
     * Names that runs may create. In the temporary folder, kept folders of failed runs, folders of users and
     * files of other programs do not match.
     */
    private static final Pattern OWN =
            Pattern.compile("/dev/shm/.*|.*/jurom/s-.*|.*/(jurom|ucx)-(?!failed-run|\\d+$).*");

    private final Set<Path> before;

    private SharedNames(Set<Path> before) {
        this.before = before;
    }

    /** Returns a snapshot of the current names. */
    public static SharedNames before() {
        return new SharedNames(names());
    }

    /** Returns the names that have appeared since, except those of services that are running. */
    public Set<Path> added() {
        var now = names();
        now.removeAll(before);
        now.removeIf(SharedNames::belongsToRunningService);
        return now;
    }

    private static boolean belongsToRunningService(Path name) {
        try {
            return ProcessInfo.isRunning(CounterFile.read(name.resolve(ServiceCountersCheck.COUNTERS))
                    .process());
        } catch (IOException e) {
            return false; // not the directory of a service
        }
    }

    private static Set<Path> names() {
        var names = new TreeSet<Path>();
        for (var folder : FOLDERS) {
            try (var entries = Files.newDirectoryStream(folder)) {
                entries.forEach(name -> {
                    if (OWN.matcher(name.toString()).matches()) {
                        names.add(name);
                    }
                });
            } catch (IOException e) {
                // The folder does not exist.
            }
        }
        return names;
    }
}
