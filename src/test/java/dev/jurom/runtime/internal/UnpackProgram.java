// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.SoftwareBundle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.util.Optional;

/** Unpacks the first bundle on an architecture, and prints the content of the worker program. */
public final class UnpackProgram {

    private UnpackProgram() {}

    /** Files of all machines, which contain the name of their machine and their own. */
    public static final class NamedFiles implements SoftwareBundle {

        @Override
        public Optional<InputStream> open(String machine, String file) {
            return Optional.of(new ByteArrayInputStream((machine + "/" + file).getBytes()));
        }
    }

    /** The property {@code architecture} is the {@code os.arch} to pretend. */
    public static void main(String[] arguments) throws IOException {
        Linker.nativeLinker(); // must know the real one
        System.setProperty("os.arch", System.getProperty("architecture"));
        System.out.println(Files.readString(BundledFiles.unpack().resolve("bin/urom_worker")));
    }
}
