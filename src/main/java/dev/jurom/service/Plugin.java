// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.urom.PluginInfo;
import java.nio.file.Path;

/**
 * A plugin that workers can load.
 *
 * @param file its shared library
 * @param info what hosts are told of it
 */
record Plugin(Path file, PluginInfo info) {

    /** How a worker is told to load it. */
    String argument() {
        return file + ":" + Long.toUnsignedString(info.id());
    }
}
