// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.service.settings.ListenAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/** Checks whether a process listens at a service's address, without sending data to it. */
public final class Reach {

    private static final String UNIX = "unix:";
    private static final String FORBIDDEN = "this user may not connect";
    private static final int TIMEOUT_MILLIS = 3000; // for all addresses of a host

    private Reach() {}

    /**
     * Connects to an address. Blocks for at most three seconds.
     *
     * @param address as a service file has it
     * @return why no connection is possible and what to do; empty if a process listens
     */
    public static Optional<String> of(String address) {
        return address.startsWith(UNIX) ? ofSocket(Path.of(address.substring(UNIX.length()))) : ofHost(address);
    }

    private static Optional<String> ofSocket(Path path) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false); // connect returns false if the backlog of a listener is full
            channel.connect(UnixDomainSocketAddress.of(path));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(whyNot(path, e));
        }
    }

    private static String whyNot(Path path, IOException failure) {
        if (isForbidden(failure)) {
            return FORBIDDEN + " to " + path + ": it is another user's service";
        }
        if (Files.exists(path)) {
            return "nothing listens at " + path + " any more: start the service again with"
                    + " urom-daemon --listen unix:" + path;
        }
        return "there is no " + path + ": start the service with urom-daemon --listen unix:" + path;
    }

    /**
     * Returns whether the kernel denied this user access to the path, which only the kernel can
     * decide.
     */
    private static boolean isForbidden(IOException failure) {
        return String.valueOf(failure.getMessage()).contains("ermission denied");
    }

    /**
     * Returns why a service cannot be reached, in more detail than the library's status.
     *
     * @param addresses as the service file has them for this host
     * @return the failure to report; empty if processes listen at all addresses
     */
    static Optional<CommandFailure> failure(Collection<String> addresses, Throwable cause) {
        for (var address : addresses) {
            var why = of(address);
            if (why.isPresent()) {
                return Optional.of(new CommandFailure(
                        why.get().startsWith(FORBIDDEN) ? ExitCode.NOT_PERMITTED : ExitCode.NO_SERVICE,
                        "No service: " + why.get(),
                        cause));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the user of the process that listens at a Unix socket.
     *
     * @param address {@code unix:PATH}
     * @return the user, as the kernel recorded it when the process began to listen
     * @throws IOException if nothing listens there
     */
    public static UserPrincipal ownerOf(String address) throws IOException {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(address.substring(UNIX.length())));
            return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        }
    }

    /** Tries each address of the host until one can be reached, as the library does. */
    private static Optional<String> ofHost(String address) {
        var target = target(address);
        try {
            var failures = new ArrayList<String>();
            var all = InetAddress.getAllByName(target.getHostString());
            for (var one : all) {
                var failure =
                        connect(new InetSocketAddress(one, target.getPort()), Math.max(1, TIMEOUT_MILLIS / all.length));
                if (failure.isEmpty()) {
                    return Optional.empty();
                }
                failures.add((all.length > 1 ? one.getHostAddress() + ": " : "") + failure.get());
            }
            return Optional.of(address + " cannot be reached (" + String.join("; ", failures)
                    + "): start the service there with urom-daemon --listen, and let port "
                    + target.getPort() + " through");
        } catch (UnknownHostException e) {
            return Optional.of("the host of " + address + " cannot be resolved: correct its name, or add"
                    + " it to /etc/hosts or DNS");
        }
    }

    private static Optional<String> connect(InetSocketAddress target, int milliseconds) {
        try (var socket = new Socket()) {
            socket.connect(target, milliseconds);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static InetSocketAddress target(String address) {
        var brackets = address.startsWith("[");
        var colon = address.lastIndexOf(':');
        var hasPort = brackets ? address.indexOf("]:") > 0 : colon > 0 && address.indexOf(':') == colon;
        var host = hasPort ? address.substring(0, colon) : address;
        return InetSocketAddress.createUnresolved(
                brackets ? host.replaceAll("[\\[\\]]", "") : host,
                hasPort ? Integer.parseInt(address.substring(colon + 1)) : ListenAddress.DEFAULT_PORT);
    }
}
