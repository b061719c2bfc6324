// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceLocation;
import dev.jurom.urom.UromService;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collection;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/**
 * Checks whether a service can be reached. At a Unix socket, sends no data. A service of another machine would count a
 * connection without a key as a failed authentication, so it is connected to as hosts do.
 */
public final class Reach {

    private static final String UNIX = "unix:";
    private static final String FORBIDDEN = "this user may not connect";

    private Reach() {}

    /**
     * Returns whether an address is a Unix socket of this machine.
     *
     * @param address as a service file has it
     * @return false for a service of another machine
     */
    public static boolean isLocal(String address) {
        return address.startsWith(UNIX);
    }

    /**
     * Connects to the address of a line of a service file: at a Unix socket without sending data, otherwise with the key of
     * this host. Blocks for at most ten seconds.
     *
     * @param file the service file
     * @param entry the line of the file that applies to this host and one of its devices
     * @return why no connection is possible and what to do; empty if a service accepts the connection
     */
    static Optional<String> of(Path file, ServiceFile.Entry entry) {
        return isLocal(entry.deviceHost()) ? ofSocket(entry.deviceHost()) : ofHost(file, entry);
    }

    /**
     * Connects to a Unix socket without sending data. Does not block.
     *
     * @param address {@code unix:PATH}
     * @return why no connection is possible and what to do; empty if a process listens
     */
    public static Optional<String> ofSocket(String address) {
        return ofSocket(Path.of(address.substring(UNIX.length())));
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
     * Returns why a service of this machine cannot be reached, in more detail than the library's status.
     *
     * @param addresses Unix sockets, as the service file has them for this host
     * @return the failure to report; empty if processes listen at all Unix sockets
     */
    static Optional<CommandFailure> failure(Collection<String> addresses, Throwable cause) {
        for (var address : addresses) {
            var why = ofSocket(address);
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

    /** Begins a session, which authenticates both sides. This also reaches a service with other settings. */
    private static Optional<String> ofHost(Path file, ServiceFile.Entry entry) {
        try (var engine = ProgressEngine.create();
                var device = Device.open(entry.devicePciAddress());
                var service = UromService.create(engine, device)) {
            service.setLocation(ServiceLocation.file(file)).start();
            return Optional.empty();
        } catch (DocaException e) {
            return e.error() == DocaError.INVALID_VALUE
                    ? Optional.empty()
                    : Optional.of(FailureLine.of(e).text());
        }
    }
}
