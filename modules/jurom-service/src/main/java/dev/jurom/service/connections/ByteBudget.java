// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import java.util.concurrent.Semaphore;

/**
 * Bytes of the heap for one purpose: a bound for each user, and one for all users together. While
 * no more users than {@code all / perUser} use it, each can have its whole share. This class is
 * thread-safe.
 */
public final class ByteBudget {

    private final Semaphore all;
    private final int perUser;

    /**
     * A budget of which nothing is used.
     *
     * @param perUser bytes of one user
     * @param all bytes of all users, at least those of one
     */
    public ByteBudget(int perUser, int all) {
        this.perUser = perUser;
        this.all = new Semaphore(all, true);
    }

    /**
     * A budget that fits this process's heap.
     *
     * @param part it is the heap divided by this
     * @param users this many get their whole share at any time
     * @param least bytes of one user, however small the heap is
     */
    public static ByteBudget ofHeap(int part, int users, int least) {
        var bytes = (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / part);
        var perUser = Math.max(bytes / users, least);
        return new ByteBudget(perUser, Math.max(bytes, perUser));
    }

    /** What one user may use. */
    public Share share() {
        return new Share();
    }

    /** The bytes of one user. */
    public final class Share {

        private final Semaphore own = new Semaphore(perUser, true);

        private Share() {}

        /** No bytes: for a request that is too short to count. */
        public Held nothing() {
            return new Held(this, 0);
        }

        /** Waits, first come, first served, until there is room for bytes of one user. */
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

        /** Uses bytes, if there is room for them now. */
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

        /** Whether none are used. */
        public boolean isIdle() {
            return own.availablePermits() == perUser;
        }

        /** Releases bytes that were taken. */
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

        /** Passes the bytes on to another owner: closing this releases none of them any more. */
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
