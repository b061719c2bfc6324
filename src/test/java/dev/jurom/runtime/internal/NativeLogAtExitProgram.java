// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.core.DocaException;
import dev.jurom.core.MemoryMap;

/** Exits while several threads make the library log at its maximum rate. */
public final class NativeLogAtExitProgram {

    private static final int THREADS = 4;
    private static final int MESSAGES_BEFORE_EXIT = 2000;

    private NativeLogAtExitProgram() {}

    /** Exits with code 7. */
    public static void main(String[] arguments) {
        for (var i = 0; i < THREADS; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                while (true) {
                    log();
                }
            });
        }
        for (var i = 0; i < MESSAGES_BEFORE_EXIT; i++) {
            log();
        }
        System.exit(7);
    }

    private static void log() {
        try (var map = MemoryMap.create()) {
            map.start(); // the library logs that the map has no memory
        } catch (DocaException e) {
            // expected
        }
    }
}
