// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The location of files that are kept between runs. */
final class CacheLocation {

    static final String PROPERTY = "jurom.cache.path";

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.runtime");

    private CacheLocation() {}

    /**
     * Opens the directory that {@code jurom.cache.path} specifies. By default, it is {@code jurom} in
     * the cache directory of the user or, for a user without one that only this user can change and
     * whose files can be executed, a directory for temporary files.
     *
     * @throws IOException if there is none, or the specified directory is not suitable
     */
    static PrivateDirectory open() throws IOException {
        var given = System.getProperty(PROPERTY);
        if (given != null) {
            return executable(PrivateDirectory.open(PathText.of(PROPERTY, given).toAbsolutePath()));
        }
        var failures = new ArrayList<String>();
        for (var candidate : ofUser()) {
            var opened = attempt(candidate, () -> PrivateDirectory.open(candidate), failures);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        var name = "jurom-cache-" + Integer.toUnsignedString(PrivateDirectory.ownUserId());
        for (var folder : temporary()) {
            var opened = attempt(folder, () -> PrivateDirectory.openIn(folder, name), failures);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        throw new IOException("no folder is suitable: " + String.join("; ", failures));
    }

    private interface Opening {
        PrivateDirectory open() throws IOException;
    }

    private static Optional<PrivateDirectory> attempt(Path folder, Opening opening, List<String> failures) {
        try {
            return Optional.of(executable(opening.open()));
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Native files are not unpacked to " + folder, e);
            failures.add(folder + " (" + (e instanceof FileSystemException ? e.toString() : e.getMessage()) + ")");
            return Optional.empty();
        }
    }

    private static PrivateDirectory executable(PrivateDirectory directory) throws IOException {
        directory.requireExecutable();
        return directory;
    }

    private static List<Path> temporary() {
        return Stream.concat(
                        PathText.optional(System.getProperty("java.io.tmpdir")).map(Path::toAbsolutePath).stream(),
                        TemporaryFolders.ALL.reversed().stream()) // /var/tmp outlives a restart
                .distinct()
                .toList();
    }

    private static List<Path> ofUser() {
        return Stream.of(
                        Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).flatMap(PathText::optional),
                        PathText.optional(System.getProperty("user.home", "")).map(home -> home.resolve(".cache")))
                .flatMap(Optional::stream)
                .filter(Path::isAbsolute)
                .map(cache -> cache.resolve("jurom"))
                .toList();
    }
}
