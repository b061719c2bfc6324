// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.bench.measurement.WaitPlugin.Action;
import dev.jurom.bench.measurement.WaitPlugin.Cause;
import dev.jurom.plugin.Offload;
import java.lang.foreign.ValueLayout;

/** The commands of {@link WaitPlugin} and of its counterpart in C. */
public final class WaitOffload {

    /**
     * A command.
     *
     * @param action the action of the command
     * @param milliseconds the duration of the action, if it has one
     */
    public record Wait(Action action, long milliseconds) {}

    /**
     * The last notice that the plugin has received.
     *
     * @param cause the kind of the notice
     * @param time a value of {@link System#nanoTime()} of this machine
     */
    public record Notice(Cause cause, long time) {}

    private WaitOffload() {}

    /**
     * Returns the commands of a plugin.
     *
     * @param plugin the name of the plugin
     * @return an offload
     */
    public static Offload<Wait, Notice> of(String plugin) {
        return Offload.of(
                plugin,
                1,
                (wait, payload) -> {
                    payload.set(
                            ValueLayout.JAVA_LONG_UNALIGNED, 0, wait.action().ordinal());
                    payload.set(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES, wait.milliseconds());
                    return 2 * Long.BYTES;
                },
                answer -> new Notice(
                        Cause.values()[(int) answer.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)],
                        answer.get(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES)));
    }
}
