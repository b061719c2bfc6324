// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.races.ExploredClasses.Defect;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The facade's queue, slots, replies and the hand-over of its engine, in all orders of its threads
 * within a number of interruptions; and that defects are found which it once had. More
 * interruptions with {@code -Djurom.long=true}.
 */
class FacadeOrdersTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int MILLIS = LONG ? 120_000 : 4_000;

    @ParameterizedTest
    @CsvSource({
        "queue, 2", "slots, 2", "waiting for a slot, 2", "calls, 0", "calls on one slot, 0",
        "calls one after another, 1", "interrupted calls, 0"
    })
    void nothing_is_wrong_in_any_order(String plot, int interruptions) throws Exception {
        assertNull(run(plot, interruptions, null)[3]);
    }

    @ParameterizedTest
    @CsvSource({
        // Who takes a slot does not see that it was given back in between: two get one.
        "slots, 3, FreeSlots, counted, false",
        // Both the caller and the command give back the slot of a call that ended early.
        "calls one after another, 1, CallReply, leave, true",
        // Nobody leads any more when a call ends.
        "calls, 0, EngineDriver, passOn, false",
        "calls, 0, Followers, wakeOne, true",
    })
    void a_defect_is_found(String plot, int interruptions, String type, String method,
            boolean answer) throws Exception {
        var wrong = run(plot, interruptions, new Defect("dev.jurom.internal." + type,
                method, answer))[3];

        assertNotNull(wrong, "nothing was found");
    }

    static Object[] run(String plot, int interruptions, Defect defect) throws Exception {
        var classes = new ExploredClasses(defect);
        @SuppressWarnings("unchecked")
        var plots = (BiFunction<String, int[], Object[]>) classes
                .loadClass("dev.jurom.internal.FacadePlots").getDeclaredConstructor()
                .newInstance();
        var outcome = plots.apply(plot, new int[] {LONG ? interruptions + 1 : interruptions,
            defect == null ? MILLIS : 60_000}); // a defect ends it when it is found
        System.out.printf("%-24s %d interruptions%s: %,d orders, %,d steps, %s: %s%n", plot,
                interruptions, defect == null ? "" : ", without " + defect.method(), outcome[0],
                outcome[1], (boolean) outcome[2] ? "all" : "not all",
                outcome[3] == null ? "nothing wrong" : outcome[3]);
        assertTrue(defect == null || classes.isPlanted(), "the defect's method is gone");
        return outcome;
    }
}
