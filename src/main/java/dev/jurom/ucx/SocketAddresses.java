// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucs_sock_addr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Socket addresses as C has them: {@code sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {

    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final long FAMILY = 0;
    private static final long PORT = 2;
    private static final long ADDRESS = 4;
    private static final long ADDRESS6 = 8;
    private static final long SCOPE6 = 24;
    private static final long SIZE = 16;
    private static final long SIZE6 = 28;
    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {
    }

    /** Fills a {@code ucs_sock_addr}; the address itself is put in {@code arena}. */
    static void write(MemorySegment target, InetSocketAddress address, Arena arena) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "The host \"" + address.getHostString() + "\" is unknown");
        }
        var bytes = address.getAddress().getAddress();
        var ipv6 = address.getAddress() instanceof Inet6Address;
        var socket = arena.allocate(ipv6 ? SIZE6 : SIZE, Integer.BYTES);
        socket.set(ValueLayout.JAVA_SHORT, FAMILY, ipv6 ? AF_INET6 : AF_INET);
        socket.set(BIG_ENDIAN_SHORT, PORT, (short) address.getPort());
        MemorySegment.copy(bytes, 0, socket, ValueLayout.JAVA_BYTE, ipv6 ? ADDRESS6 : ADDRESS,
                bytes.length);
        if (address.getAddress() instanceof Inet6Address v6) {
            socket.set(ValueLayout.JAVA_INT, SCOPE6, v6.getScopeId());
        }
        ucs_sock_addr.addr(target, socket);
        ucs_sock_addr.addrlen(target, (int) socket.byteSize());
    }

    /** Reads a {@code sockaddr_storage}. */
    static InetSocketAddress read(MemorySegment storage) {
        var family = storage.get(ValueLayout.JAVA_SHORT, FAMILY);
        if (family != AF_INET && family != AF_INET6) {
            throw new IllegalStateException("UCX gives an address of the unknown family " + family);
        }
        var bytes = family == AF_INET6
                ? storage.asSlice(ADDRESS6, 16).toArray(ValueLayout.JAVA_BYTE)
                : storage.asSlice(ADDRESS, 4).toArray(ValueLayout.JAVA_BYTE);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes),
                    Short.toUnsignedInt(storage.get(BIG_ENDIAN_SHORT, PORT)));
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes is always valid", e);
        }
    }
}
