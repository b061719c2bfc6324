// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import java.util.concurrent.Semaphore;

/**
 * Bytes of the heap for one purpose, with a limit for each user and one for all users together. While no more
 * than {@code all / perUser} users use it, each can have its whole share. This class is thread-safe.
 */
public final class ByteBudget {

    private final Semaphore all;
    private final int perUser;

    /**
     * Creates an unused budget.
     *
     * @param perUser maximum number of bytes of one user
     * @param all maximum number of bytes of all users, at least {@code perUser}
     */
    public ByteBudget(int perUser, int all) {
        this.perUser = perUser;
        this.all = new Semaphore(all, true);
    }

    /**
     * Creates a budget in proportion to this process's heap.
     *
     * @param part the heap size is divided by this number
     * @param users the number of users that can have their whole share at the same time
     * @param least minimum number of bytes of one user, however small the heap is
     * @return an unused budget
     */
    public static ByteBudget ofHeap(int part, int users, int least) {
        var bytes = (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / part);
        var perUser = Math.max(bytes / users, least);
        return new ByteBudget(perUser, Math.max(bytes, perUser));
    }

    /** {@return a new user's share, of which no bytes are in use} */
    public Share share() {
        return new Share();
    }

    /** The bytes of one user. This class is thread-safe. */
    public final class Share {

        private final Semaphore own = new Semaphore(perUser, true);

        private Share() {}

        /** {@return no bytes, for a request that is too short to count}; closing them has no effect. */
        public Held nothing() {
            return new Held(this, 0);
        }

        /**
         * Waits in FIFO order until bytes fit into this share and into the whole budget, and takes them.
         *
         * @param bytes the number of bytes, at most the maximum of one user, or the wait never ends
         * @return the bytes, which the caller must close
         * @throws InterruptedException if the thread is interrupted while it waits; no bytes are taken then
         */
        public Held await(int bytes) throws InterruptedException {
            own.acquire(bytes);
            try {
                all.acquire(bytes);
            } catch (InterruptedException e) {
                own.release(bytes);
                throw e;
            }
            return new Held(this, bytes);
        }

        /**
         * Takes bytes if they fit now. Does not block. {@link #release} releases them.
         *
         * @param bytes the number of bytes
         * @return false if they do not fit into this share or the whole budget; no bytes are taken then
         */
        public boolean take(int bytes) {
            if (!own.tryAcquire(bytes)) {
                return false;
            }
            if (!all.tryAcquire(bytes)) {
                own.release(bytes);
                return false;
            }
            return true;
        }

        /** {@return whether no bytes are in use} */
        public boolean isIdle() {
            return own.availablePermits() == perUser;
        }

        /**
         * Releases bytes that {@link #take} took.
         *
         * @param bytes the number of bytes
         */
        public void release(int bytes) {
            all.release(bytes);
            own.release(bytes);
        }
    }

    /** Bytes that are in use until this is closed. Closing it again has no effect. */
    public static final class Held implements AutoCloseable {

        private final Share share;
        private int bytes;

        private Held(Share share, int bytes) {
            this.share = share;
            this.bytes = bytes;
        }

        /**
         * Transfers the bytes to a new owner. Closing this then has no effect.
         *
         * @return the bytes, which the new owner must close
         */
        public synchronized Held move() {
            var moved = new Held(share, bytes);
            bytes = 0;
            return moved;
        }

        @Override
        public synchronized void close() {
            share.release(bytes);
            bytes = 0;
        }
    }
}
