// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.races.ExploredClasses.Defect;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The facade's queue, slots, replies, futures and the hand-over of its engine, in all orders of its
 * threads with at most two interruptions, or as many as there is time for; and that defects are
 * found. One interruption more with {@code -Djurom.long=true}; {@code -Djurom.order='plot|order'}
 * repeats what is printed for an order that was wrong, with its steps.
 */
class FacadeOrdersTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int INTERRUPTIONS = LONG ? 3 : 2;
    private static final int MILLIS = LONG ? 120_000 : 5_000;
    private static final int DEFECT_MILLIS = 60_000; // it ends when it is found

    @ParameterizedTest
    @ValueSource(strings = {
        "queue", "slots", "waiting for a slot", "calls", "calls on one slot",
        "calls one after another", "interrupted calls", "calls that throw", "submits",
        "submits beside calls", "two join one", "stepping down", "stopping"
    })
    void nothing_is_wrong_in_any_order(String plot) throws Exception {
        assertNull(run(plot, null));
    }

    @ParameterizedTest
    @CsvSource({
        // Who takes a slot does not see that it was given back in between: two get one.
        "slots, FreeSlots, counted, false",
        // Who gives a slot back tells nobody who waits for it.
        "waiting for a slot, FreeSlots, wakeOne, false",
        // Both the caller and the command give back the slot of a call that ended early.
        "calls one after another, CallReply, leave, true",
        "interrupted calls, CallReply, leave, true",
        // Nobody leads any more when a call ends.
        "calls, EngineDriver, passOn, false",
        "calls, Followers, wakeOne, true",
        // Two have the engine at once.
        "stepping down, EngineLead, isMine, true",
        // A leader that sleeps is not told of what it is asked for.
        "two join one, LeaderLoop, wake, true",
    })
    void a_defect_is_found(String plot, String type, String method, boolean answer)
            throws Exception {
        assertNotNull(run(plot, new Defect("dev.jurom.internal." + type, method, answer)),
                "nothing was found");
    }

    @Test
    @EnabledIfSystemProperty(named = "jurom.order", matches = ".*\\|.*")
    void nothing_is_wrong_in_the_order_to_repeat() throws Exception {
        assertNull(plots(new ExploredClasses(null)).apply(System.getProperty("jurom.order"),
                new int[0])[3]);
    }

    @SuppressWarnings("unchecked")
    private static BiFunction<String, int[], Object[]> plots(ExploredClasses classes)
            throws ReflectiveOperationException {
        return (BiFunction<String, int[], Object[]>) classes
                .loadClass("dev.jurom.internal.FacadePlots").getDeclaredConstructor()
                .newInstance();
    }

    private static String run(String plot, Defect defect) throws Exception {
        var classes = new ExploredClasses(defect);
        var outcome = plots(classes).apply(plot,
                new int[] {INTERRUPTIONS, defect == null ? MILLIS : DEFECT_MILLIS});
        var wrong = outcome[3] == null ? null
                : outcome[3] + "; -Djurom.order='" + plot + "|" + outcome[4] + "' repeats it";
        var allWith = (int) outcome[2];
        System.out.printf("%-24s %-16s %,7d orders %,10d steps, %s: %s%n", plot,
                defect == null ? "" : "without " + defect.method(), outcome[0], outcome[1],
                allWith < 0 ? "some" : "all with up to " + allWith + " interruptions"
                        + (allWith < INTERRUPTIONS ? ", some with " + (allWith + 1) : ""),
                wrong == null ? "nothing wrong" : wrong);
        assertTrue(defect == null || classes.isPlanted(), "the defect's method is gone");
        return wrong;
    }
}
