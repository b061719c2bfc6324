// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.fixture.Command;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A host of another user, connected through a relay process of that user. */
public final class ForeignHost implements AutoCloseable {

    /** Copies standard input to the socket and the socket to standard output. */
    private static final String RELAY = """
            use IO::Socket::UNIX;
            my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "no connection: $!";
            $| = 1;
            my $child = fork();
            if ($child == 0) {
                while (sysread(STDIN, my $bytes, 65536)) { syswrite($socket, $bytes); }
                shutdown($socket, 1);
                exit;
            }
            while (sysread($socket, my $bytes, 65536)) { syswrite(STDOUT, $bytes); }
            kill 'TERM', $child;
            """;

    private final Process relay;
    private final TestHost host;

    /** Connects as a user. */
    public ForeignHost(int userId, ListenAddress.Unix address) {
        this(asUser(userId), address);
    }

    /** Connects from a process started with a command prefix. */
    public ForeignHost(List<String> before, ListenAddress.Unix address) {
        try {
            var words = new ArrayList<>(before);
            words.addAll(List.of("perl", "-e", RELAY, address.path().toString()));
            relay = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            host = new TestHost(() -> relay.getOutputStream().close(), relay.getInputStream(), relay.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command prefix that runs a program as a user. */
    public static List<String> asUser(int userId) {
        var id = Integer.toString(userId);
        return List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups");
    }

    /** Returns whether the required programs are installed. */
    public static boolean isPossible() {
        return Command.execute(List.of("sh", "-c", "command -v setpriv && command -v perl"))
                        .exitCode()
                == 0;
    }

    public void hello() {
        host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
    }

    /** Sends HELLO and receives WELCOME. */
    public void welcome() {
        TestHost.admitted(host);
    }

    public void send(Frame frame) {
        host.send(frame);
    }

    public Frame receive() {
        return host.receive();
    }

    public void awaitLost() {
        host.awaitLost();
    }

    @Override
    public void close() {
        relay.descendants().forEach(ProcessHandle::destroyForcibly);
        relay.destroyForcibly();
        host.close();
    }
}
