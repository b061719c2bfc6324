// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of the files through which members of a domain exchange data; empty between runs. See
 * {@code gathering.h}.
 */
final class ExchangeFolder {

    private final Path path;

    private ExchangeFolder(Path path) {
        this.path = path;
    }

    /** Returns the folder in the directory of a job. */
    static ExchangeFolder in(Path directory) {
        return new ExchangeFolder(directory.resolve("exchange"));
    }

    Path path() {
        return path;
    }

    /** Deletes all files. */
    void clear() {
        try (var files = Files.newDirectoryStream(path)) {
            for (var file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notifies the other members that a member exited. */
    void markLeft(int run, int member) {
        try {
            Files.write(path.resolve(run + "-left-" + member), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
