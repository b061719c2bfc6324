// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where members of a domain give each other what they know, as files: empty but for the time of a
 * run. See {@code gathering.h}.
 */
final class ExchangeFolder {

    private final Path path;

    private ExchangeFolder(Path path) {
        this.path = path;
    }

    /** The one in the directory of a job. */
    static ExchangeFolder in(Path directory) {
        return new ExchangeFolder(directory.resolve("exchange"));
    }

    Path path() {
        return path;
    }

    /** Deletes what a run has left in it. */
    void clear() {
        try (var files = Files.newDirectoryStream(path)) {
            for (var file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A member has ended: nobody is to wait for it. */
    void tellGone(int run, int member) {
        try {
            Files.write(path.resolve(run + "-gone-" + member), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
