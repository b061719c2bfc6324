// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.fixture.ServiceFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** A process that writes to the memory of another one; they exchange data through files in a folder. */
public final class RdmoWriterProgram {

    /** More than the maximum of one vector of a scatter and of one UCX message. */
    static final int LONG = 300_000;

    private RdmoWriterProgram() {}

    /** Writes an introduction, waits for an invitation and writes to the memory. */
    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(System.getProperty("rdmo.folder"));
        try (var writer = RdmoWriter.open()) {
            var file = folder.resolve("introduction.new");
            Files.writeString(file, HexFormat.of().formatHex(writer.introduction()));
            Files.move(file, folder.resolve("introduction"));
            var invitation = folder.resolve("invitation");
            ServiceFixture.eventually("invited", () -> Files.exists(invitation));
            writer.connect(RdmoInvitation.of(HexFormat.of().parseHex(Files.readString(invitation))));
            writer.append(0, "from afar".getBytes());
            writer.write(1024, bytes());
            writer.flush().join();
            System.out.println("written");
        }
    }

    static byte[] bytes() {
        var bytes = new byte[LONG];
        for (var i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }
}
