// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.races.Native;

/** Stands for {@link DrivenWorker} where all orders are tried. */
final class ExploredWorker {

    FreeSlots slots;

    void give(CommandSlot slot) {
        slots.give(slot);
    }

    void requireRunning() {
    }

    RuntimeException failure(Native.Task task) {
        return new IllegalStateException("no command fails");
    }
}
