// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.EventDescriptor;
import dev.jurom.core.internal.Poll;
import java.lang.foreign.Arena;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Waking a sleeper that is gone. */
class EngineSleepTest {

    @Test
    void a_late_wake_does_not_signal_who_has_the_descriptor_now() {
        try (var engine = ProgressEngine.create()) {
            var sleep = new EngineSleep(engine);
            sleep.enter();
            sleep.free();
            sleep.free();
            try (var next = new EventDescriptor(); var another = new EventDescriptor()) {

                sleep.wake();
                sleep.interrupt();

                assertEquals(false, new Poll(Arena.ofAuto(), next.descriptor(),
                        another.descriptor()).await(Duration.ZERO), "it was signalled");
            }
        }
    }
}
