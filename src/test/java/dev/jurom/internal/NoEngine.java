// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

/** An engine for slots without native commands. */
class NoEngine implements CommandSlots.Engine {

    @Override
    public void submit(long command) {}

    @Override
    public void cancel(long command, long state) {}

    @Override
    public boolean adopt(long command, long state) {
        return false;
    }

    @Override
    public boolean await(long command, long nanoseconds, boolean maySleep) {
        throw new AssertionError("no command is taken back");
    }
}
