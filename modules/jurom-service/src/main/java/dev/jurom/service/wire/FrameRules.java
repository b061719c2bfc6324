// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.nio.charset.StandardCharsets;

/** The rules that the fields of frames must obey. */
public final class FrameRules {

    /** Length of a plugin's name with its NUL, in bytes. */
    static final int PLUGIN_NAME_SIZE = 48;
    /** Length of the text of a release with its NUL, in bytes. */
    static final int RELEASE_SIZE = 16;
    /** Maximum length of a Unix socket's path in bytes, as Java can bind it. */
    static final int SOCKET_PATH_MAX = 106;

    private static final int LIMITS_MAX = 16;
    private static final int PORT_MAX = 65_535;
    private static final int QUOTED_MAX = 64;

    private FrameRules() {}

    /**
     * Quotes the beginning of a text from a peer, for a message.
     *
     * @param text of any length
     * @return at most 64 characters, and the total number if the text is longer
     */
    public static String quoted(String text) {
        if (text.length() <= QUOTED_MAX) {
            return '"' + text + '"';
        }
        var end = Character.isHighSurrogate(text.charAt(QUOTED_MAX - 1)) ? QUOTED_MAX - 1 : QUOTED_MAX;
        return '"' + text.substring(0, end) + "...\" (" + text.length() + " characters)";
    }

    static void requireSize(String field, Bytes bytes, int size) {
        if (bytes.length() != size) {
            throw new IllegalArgumentException("a " + field + " has " + size + " bytes, not " + bytes.length());
        }
    }

    static void requireAddress(String address) {
        requireText("address", address);
        if (address.isEmpty()) {
            throw new IllegalArgumentException("the address is empty");
        }
    }

    static void requirePath(String field, String path) {
        requireText(field, path);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the " + field + " " + quoted(path) + " is not an absolute path");
        }
    }

    /**
     * Requires an absolute path that is valid for a Unix socket.
     *
     * @param path the path of the socket
     * @throws IllegalArgumentException if it is not absolute or has more than 106 bytes
     */
    public static void requireSocketPath(String path) {
        requirePath("socket path", path);
        var length = path.getBytes(StandardCharsets.UTF_8).length;
        if (length > SOCKET_PATH_MAX) {
            throw new IllegalArgumentException("the socket path " + quoted(path) + " has " + length
                    + " bytes and at most " + SOCKET_PATH_MAX + " are possible");
        }
    }

    static void requireLimits(int count) {
        if (count > LIMITS_MAX) {
            throw new IllegalArgumentException(count + " limits are given and at most " + LIMITS_MAX + " are possible");
        }
    }

    static void requirePort(int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "the port " + Integer.toUnsignedString(port) + " is not 1 to " + PORT_MAX);
        }
    }

    /** Requires two valid ports, or two zeros for any port. */
    static void requirePorts(int low, int high) {
        if (low == 0 && high == 0) {
            return;
        }
        requirePort(low);
        requirePort(high);
        if (low > high) {
            throw new IllegalArgumentException("the lowest port " + low + " is above the highest port " + high);
        }
    }

    static void requireText(String field, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the " + field + " has a NUL in it");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("the " + field + " is not Unicode text");
        }
    }

    /**
     * Requires a name that a frame can carry.
     *
     * @param name the name of a plugin
     * @throws IllegalArgumentException if it is not a text of 1 to 47 bytes without NUL
     */
    public static void requirePluginName(String name) {
        requireName("plugin name", name, PLUGIN_NAME_SIZE);
    }

    static void requireRelease(String release) {
        requireName("release", release, RELEASE_SIZE);
    }

    private static void requireName(String field, String name, int size) {
        requireText(field, name);
        var length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length >= size) {
            throw new IllegalArgumentException(
                    "a " + field + " has 1 to " + (size - 1) + " bytes, and " + quoted(name) + " has " + length);
        }
    }

    static void requireVariable(String variable) {
        requireText("environment", variable);
        if (variable.indexOf('=') < 1) {
            throw new IllegalArgumentException("the environment string " + quoted(variable) + " is not NAME=value");
        }
    }
}
