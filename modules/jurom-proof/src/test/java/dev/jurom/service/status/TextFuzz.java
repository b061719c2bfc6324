// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import dev.jurom.service.identity.DeviceAliases;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.urom.CpuSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;

/** Fuzz target: short texts of files, arguments and variables, which must be parsed or rejected. */
public final class TextFuzz {

    private static final int KINDS = 4;

    private TextFuzz() {}

    /** Executes an input: the kind of text, followed by the text. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var text = new String(input, 1, input.length - 1, StandardCharsets.UTF_8);
        try {
            read((input[0] & 0xFF) % KINDS, text);
        } catch (IllegalArgumentException e) {
            if (e.getMessage() == null) {
                throw new AssertionError("no message for the rejected text \"" + text + "\"", e);
            }
        }
    }

    private static void read(int kind, String text) {
        switch (kind) {
            case 0 -> DeviceAliases.ofSoftware(text);
            // Other addresses would be looked up by name.
            case 1 -> same(ListenAddress.parse("unix:" + text), ListenAddress::parse);
            case 2 -> same(CpuSet.parse(text), CpuSet::parse);
            default -> StatusText.parse(Path.of("/run"), "jurom-status 1\n" + text + "\nend\n");
        }
    }

    private static <T> void same(T value, Function<String, T> parse) {
        if (!parse.apply(value.toString()).equals(value)) {
            throw new AssertionError(value + " is not parsed to an equal value");
        }
    }
}
