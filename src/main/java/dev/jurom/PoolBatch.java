// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.internal.Batch;
import dev.jurom.internal.Deadline;
import dev.jurom.plugin.Offload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one thread that are spread over the workers of a pool, in the order of their answers. Confined to the
 * thread.
 */
final class PoolBatch<C, R> {

    private final Offload<C, R> offload;
    private final List<? extends C> commands;
    private final @Nullable Deadline deadline; // of all commands; null for the call timeout
    private final Map<PoolMember, Share> shares = new IdentityHashMap<>();
    private final Deque<Part> parts = new ArrayDeque<>(); // in flight, in the order of the commands
    private int submitted;
    private boolean draining; // a command is to be repeated, and no slot may be held meanwhile

    /** The commands of a worker. */
    private record Share(PoolMember member, Batch batch) {}

    /** Consecutive commands of a worker. */
    private static final class Part {

        private final Share share;
        private int length;

        Part(Share share, int length) {
            this.share = share;
            this.length = length;
        }
    }

    PoolBatch(Offload<C, R> offload, List<? extends C> commands, @Nullable Deadline deadline) {
        this.offload = offload;
        this.commands = commands;
        this.deadline = deadline;
    }

    Offload<C, R> offload() {
        return offload;
    }

    /** Returns whether no command is in flight. */
    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Returns the next command, which the caller sends. */
    C next() {
        return commands.get(submitted++);
    }

    /** Submits commands in the free slots of the workers, in turn. No command is in flight. */
    void fill(List<PoolMember> members) {
        draining = false;
        var most = Math.ceilDiv(commands.size() - submitted, Math.max(1, members.size()));
        boolean more;
        do {
            more = false;
            for (var member : members) {
                more |= fill(shares.computeIfAbsent(member, this::share), most);
            }
        } while (more);
    }

    private Share share(PoolMember member) {
        return new Share(member, member.worker().batch(commands.size(), deadline));
    }

    /** Submits a part of the commands to a worker. Returns false if no slot is free, or it accepts no commands. */
    private boolean fill(Share share, int most) {
        var limit = Math.min(most, commands.size() - submitted);
        var length = share.member().submit(share.batch(), offload, commands, submitted, limit);
        if (length == 0) {
            return false;
        }
        submitted += length;
        var last = parts.peekLast();
        if (last != null && last.share == share) {
            last.length += length;
        } else {
            parts.add(new Part(share, length));
        }
        return true;
    }

    /** Waits for the answer of the oldest command in flight. */
    R answer() throws InterruptedException {
        var share = parts.getFirst().share;
        var answer = share.member().worker().answer(share.batch(), offload);
        removed(share);
        return answer;
    }

    /**
     * Removes the oldest command in flight, which the caller repeats when {@linkplain #isEmpty no command is in flight}.
     * Else callers that wait for a slot could hold those for which others wait. Until then, none is submitted.
     */
    void removeLost() {
        draining = true;
        var share = parts.getFirst().share;
        share.batch().remove();
        removed(share);
    }

    private void removed(Share share) {
        share.member().ended(true);
        if (--parts.getFirst().length == 0) {
            parts.removeFirst();
        }
        if (!draining) {
            fill(share, commands.size()); // the slot that is free now
        }
    }

    /** Releases the slots of all commands, each as soon as it is done. */
    void release() {
        for (var part : parts) {
            for (var i = 0; i < part.length; i++) {
                part.share.member().ended(false);
            }
        }
        RuntimeException failure = null;
        for (var share : shares.values()) {
            try {
                share.batch().release();
            } catch (RuntimeException e) { // a slot is lost, and the others are released
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
