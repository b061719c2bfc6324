// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.nio.charset.StandardCharsets;

/** What the fields of frames must be. */
final class FrameRules {

    /** Bytes of a plugin's name with its NUL. */
    static final int PLUGIN_NAME_SIZE = 48;

    private FrameRules() {
    }

    static void requireSize(String field, Bytes bytes, int size) {
        if (bytes.length() != size) {
            throw new IllegalArgumentException(
                    "a " + field + " has " + size + " bytes, not " + bytes.length());
        }
    }

    static void requireAddress(Bytes address) {
        if (address.length() == 0) {
            throw new IllegalArgumentException("the address of a UCP worker is empty");
        }
    }

    static void requireText(String field, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the " + field + " has a NUL in it");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("the " + field + " is no Unicode text");
        }
    }

    static void requirePluginName(String name) {
        requireText("plugin name", name);
        var length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length >= PLUGIN_NAME_SIZE) {
            throw new IllegalArgumentException("a plugin name has 1 to " + (PLUGIN_NAME_SIZE - 1)
                    + " bytes, and \"" + name + "\" has " + length);
        }
    }

    static void requireVariable(String variable) {
        requireText("environment", variable);
        if (variable.indexOf('=') < 1) {
            throw new IllegalArgumentException(
                    "the environment string \"" + variable + "\" is not NAME=value");
        }
    }
}
