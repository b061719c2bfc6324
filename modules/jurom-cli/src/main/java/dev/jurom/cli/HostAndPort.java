// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option's {@code HOST:PORT}; an IPv6 address is in brackets. */
final class HostAndPort implements ITypeConverter<InetSocketAddress> {

    private static final int HIGHEST_PORT = 65535;

    @Override
    public InetSocketAddress convert(String text) {
        var colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            var port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= 1 && port <= HIGHEST_PORT) {
                return new InetSocketAddress(host, port);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("'" + text + "' is not HOST:PORT with a port from 1 to " + HIGHEST_PORT);
    }
}
