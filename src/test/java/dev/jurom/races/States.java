// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.HashMap;
import java.util.Map;

/**
 * Which states an explorer has been in, so that it goes on from each once. An actor's history is
 * what it did, in which order, and whose writes it saw; a state is the history of all actors and of
 * who wrote what last. Two orders that differ in steps that have nothing to do with each other come
 * to the same state.
 */
final class States {

    private final Map<Long, Byte> seen = new HashMap<>(); // and how many interruptions were left
    private long state; // a sum: it does not matter who came first

    void begin() {
        state = 0;
    }

    /** An actor has looked at something, or written it. */
    void note(Actor actor, Shared what, boolean writes) {
        var before = actor.history();
        var now = mix(mix(before, what.id()), what.written() + (writes ? 1 : 0));
        state += mix(now, actor.threadId()) - mix(before, actor.threadId());
        actor.setHistory(now);
        if (writes) {
            state += mix(now, what.id()) - mix(what.written(), what.id());
            what.setWritten(now);
        }
    }

    /** Whether this was met with at least as many interruptions left; notes that it was. */
    boolean isOld(long place, int left) {
        var key = mix(state, place);
        var most = seen.get(key);
        if (most != null && most >= left) {
            return true;
        }
        seen.put(key, (byte) left);
        return false;
    }

    void clear() {
        seen.clear();
    }

    static long mix(long one, long other) {
        var mixed = (one ^ Long.rotateLeft(other * 0x9E3779B97F4A7C15L, 29)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 30) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
