// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.HashMap;
import java.util.Map;

/**
 * What actors have in common, as far as orders have shown: it does not matter who comes first at
 * what belongs to one, or is never changed.
 */
final class Conflicts {

    /** Who has been at it, and whether somebody else has, and whether it was changed. */
    private static final class Use {

        private final long first;
        private boolean others;
        private boolean changes;
        private boolean known;

        Use(long first) {
            this.first = first;
        }

        boolean isConflict() {
            return others && changes;
        }
    }

    private final Map<Long, Use> uses = new HashMap<>();
    private boolean grown;

    /** An actor uses something. */
    void note(Actor actor, Shared what, boolean writes) {
        var use = uses.computeIfAbsent(what.id(), made -> new Use(actor.threadId()));
        use.others |= use.first != actor.threadId();
        use.changes |= writes;
        grown |= use.isConflict() && !use.known;
    }

    /** Whether it may matter who comes first, as far as was known when that was asked last. */
    boolean isAt(Shared what) {
        var use = uses.get(what.id());
        return use != null && use.known;
    }

    /** Whether there are more than when this was asked last. */
    boolean haveGrown() {
        var have = grown;
        grown = false;
        uses.values().forEach(use -> use.known = use.isConflict());
        return have;
    }
}
