// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.Command;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a host whose service is of another release. */
class OtherReleaseTest {

    @TempDir
    private Path folder;

    /** Returns the error of a service start whose HELLO is answered by an ERROR of the given protocol version. */
    private DocaException start(byte version, String text) throws IOException {
        var socket = folder.resolve("socket");
        var usual = Environment.get(ServiceFile.VARIABLE);
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            Thread.startVirtualThread(() -> answer(listener, version, text));
            var file = folder.resolve("services");
            new ServiceFile(List.of(new ServiceFile.Entry(
                            "localhost", "unix:" + socket, device.info().pciAddress(), List.of("all"))))
                    .write(file);
            Environment.set(ServiceFile.VARIABLE, file.toString());
            return assertThrows(DocaException.class, service::start);
        } finally {
            Environment.restore(ServiceFile.VARIABLE, usual);
        }
    }

    private static void answer(ServerSocketChannel listener, byte version, String text) {
        try (var host = listener.accept()) {
            var hello = Channels.newInputStream(host).readNBytes(Release.BEGINNING);
            Channels.newOutputStream(host)
                    .write(Release.encode(
                            new Frame.Failure(
                                    FrameDecoder.requestId(hello),
                                    DocaError.UNSUPPORTED_VERSION,
                                    text.isEmpty() ? Release.refusalOf(hello) : text),
                            version));
            Channels.newInputStream(host).read(); // until the host disconnects
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_newer_service_answers_in_the_hosts_version_and_the_error_names_both() throws Exception {
        var refusal = start(PeerFrames.encode(new Frame.Ping(0))[2], "");

        assertEquals(DocaError.UNSUPPORTED_VERSION, refusal.error());
        assertTrue(refusal.getMessage().contains("The host is jurom " + Release.CURRENT), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("the service is jurom "), refusal.getMessage());
    }

    @Test
    void an_older_service_answers_in_its_own_version_and_the_error_names_both() throws Exception {
        var refusal = start((byte) 2, "this text cannot be read");

        assertEquals(DocaError.UNSUPPORTED_VERSION, refusal.error());
        assertTrue(refusal.getMessage().contains("version 2"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("jurom " + Release.CURRENT), refusal.getMessage());
    }

    @Test
    void both_sides_have_the_release_of_the_project() throws Exception {
        assertTrue(Files.readString(Command.ROOT.resolve("pom.xml"))
                .contains("<version>" + Release.CURRENT + "</version>"));
        assertTrue(Files.readString(Command.ROOT.resolve("src/main/c/wire/wire.h"))
                .contains("JUROM_RELEASE \"" + Release.CURRENT + "\""));
    }
}
