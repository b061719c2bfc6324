// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.nio.charset.StandardCharsets;

/** Fuzz target: any service file is rejected, or parsed and formatted to an equivalent file. */
public final class ServiceFileFuzz {

    private ServiceFileFuzz() {}

    /** Executes an input: the content of the file. */
    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        ServiceFile file;
        try {
            file = ServiceFile.parse(text, "a file");
        } catch (ServiceFileException e) {
            return;
        }
        if (!ServiceFile.parse(file.toString(), "itself").toString().equals(file.toString())) {
            throw new AssertionError("the formatted file is parsed to a different one");
        }
    }
}
