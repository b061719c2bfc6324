// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawConnectionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    @Test
    void frames_are_received_one_by_one_and_the_last_contains_the_reason_of_the_close() throws Exception {
        var address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                var connection = RawConnection.open(address);
                var other = server.accept()) {
            assertFalse(connection.isClosed());
            other.write(ByteBuffer.wrap(FrameEncoder.encode(new Frame.Ping(7))));
            other.write(ByteBuffer.wrap(FrameEncoder.encode(new Frame.Failure(8, DocaError.FULL, "no room"))));
            other.close();

            assertEquals(Optional.of(new Frame.Ping(7)), connection.awaitFrame(PATIENCE));
            assertTrue(connection.isClosed());
            assertEquals("no room", connection.closeReason());
        }
    }

    @Test
    void a_connection_closed_without_a_frame_has_a_default_reason() throws Exception {
        var address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                var connection = RawConnection.open(address)) {
            server.accept().close();

            assertEquals(Optional.empty(), connection.awaitFrame(PATIENCE));
            assertEquals("closed without a message", connection.closeReason());
        }
    }
}
