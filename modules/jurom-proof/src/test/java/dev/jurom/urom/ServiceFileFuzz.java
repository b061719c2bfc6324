// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.nio.charset.StandardCharsets;

/** Fuzz target: any service file is read, and written so that the same is read, or refused. */
public final class ServiceFileFuzz {

    private ServiceFileFuzz() {}

    /** One input: the file's bytes. */
    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        ServiceFile file;
        try {
            file = ServiceFile.parse(text, "a file");
        } catch (ServiceFileException e) {
            return;
        }
        if (!ServiceFile.parse(file.toString(), "itself").toString().equals(file.toString())) {
            throw new AssertionError("What is written of it is read as another");
        }
    }
}
