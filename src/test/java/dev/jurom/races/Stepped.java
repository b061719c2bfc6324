// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.ArrayDeque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What stands for the JDK's classes in the code that is explored: each operation is a step. */
public final class Stepped {

    private Stepped() {
    }

    /** Stands for AtomicReference. */
    public static class Reference<V> extends Shared {

        private V value;

        public Reference() {
        }

        public Reference(V value) {
            this.value = value;
        }

        public V get() {
            read();
            return value;
        }

        public V getAcquire() {
            return get();
        }

        public V getPlain() {
            return value;
        }

        public void set(V now) {
            write();
            value = now;
        }

        public void setRelease(V now) {
            set(now);
        }

        public void setPlain(V now) {
            value = now;
        }

        public V getAndSet(V now) {
            writeIf(() -> value != now);
            var before = value;
            value = now;
            return before;
        }

        public boolean compareAndSet(V expected, V now) {
            var same = writeIf(() -> value == expected);
            value = same ? now : value;
            return same;
        }
    }

    /** Stands for AtomicLong. */
    public static class Number extends Shared {

        private long value;

        public Number() {
        }

        public Number(long value) {
            this.value = value;
        }

        public long get() {
            read();
            return value;
        }

        public long getAcquire() {
            return get();
        }

        public long getPlain() {
            return value;
        }

        public void setRelease(long now) {
            write();
            value = now;
        }

        public boolean compareAndSet(long expected, long now) {
            var same = writeIf(() -> value == expected);
            value = same ? now : value;
            return same;
        }
    }

    /** Stands for AtomicInteger. */
    public static class Count extends Shared {

        private int value;

        public int get() {
            read();
            return value;
        }

        public int getAcquire() {
            return get();
        }

        public int getPlain() {
            return value;
        }

        public void setRelease(int now) {
            write();
            value = now;
        }

        public int incrementAndGet() {
            write();
            return ++value;
        }

        public int decrementAndGet() {
            write();
            return --value;
        }
    }

    /** Stands for AtomicBoolean. */
    public static class Flag extends Shared {

        private boolean value;

        public void setPlain(boolean now) {
            value = now;
        }

        public boolean getAndSet(boolean now) {
            writeIf(() -> value != now);
            var before = value;
            value = now;
            return before;
        }
    }

    /** Stands for AtomicReferenceArray. */
    public static class References<V> extends Shared {

        private final Object[] values;

        public References(int length) {
            values = new Object[length];
        }

        @SuppressWarnings("unchecked")
        public V get(int place) {
            read();
            return (V) values[place];
        }

        public void set(int place, V now) {
            write();
            values[place] = now;
        }

        public boolean compareAndSet(int place, V expected, V now) {
            var same = writeIf(() -> values[place] == expected);
            values[place] = same ? now : values[place];
            return same;
        }
    }

    /** Stands for ConcurrentLinkedQueue. */
    public static class Line<E> extends Shared {

        private final ArrayDeque<E> elements = new ArrayDeque<>();

        public boolean add(E element) {
            write();
            return elements.add(element);
        }

        public E poll() {
            writeIf(() -> !elements.isEmpty());
            return elements.poll();
        }

        public boolean isEmpty() {
            read();
            return elements.isEmpty();
        }
    }

    /** Stands for ReentrantLock, and for what is synchronized. */
    public static class Lock extends Shared {

        private Actor owner;
        private int depth;

        public Lock() {
        }

        Lock(long id) {
            super(id);
        }

        public void lock() {
            var me = Orders.running();
            write();
            if (owner != null && owner != me) {
                Actor.sleepUntil(() -> owner == null);
                Orders.note(this, true);
            }
            owner = me;
            depth++;
        }

        public void lockInterruptibly() {
            lock();
        }

        public void unlock() {
            write();
            owner = --depth == 0 ? null : owner;
        }

        public Given newCondition() {
            return new Given(this);
        }
    }

    /** Stands for Condition; who waits is woken in the order of coming. */
    public static class Given {

        private final Lock lock;
        private final ArrayDeque<Object> waiting = new ArrayDeque<>();

        Given(Lock lock) {
            this.lock = lock;
        }

        public long awaitNanos(long nanos) {
            var me = new Object();
            waiting.add(me);
            lock.unlock();
            Actor.sleepUntil(() -> !waiting.contains(me));
            lock.lock();
            return nanos;
        }

        public void signal() {
            waiting.poll();
        }
    }

    /** Stands for LockSupport; who parks shortly looks again when all others sleep. */
    public static final class Parking {

        private static final long SHORTLY_NANOS = 1_000_000;

        private Parking() {
        }

        public static void parkNanos(Object blocker, long nanos) {
            Actor.park(nanos <= SHORTLY_NANOS);
        }

        public static void unpark(Actor actor) {
            Actor.unpark(actor);
        }
    }

    /** Stands for CompletableFuture, without what depends on it. */
    public static class Future<V> extends Shared {

        private boolean done;
        private V value;
        private Throwable failure;

        public boolean isDone() {
            read();
            return done;
        }

        public boolean complete(V now) {
            return settle(now, null);
        }

        public boolean completeExceptionally(Throwable reason) {
            return settle(null, reason);
        }

        public boolean cancel(boolean mayInterrupt) {
            return settle(null, new CancellationException());
        }

        private boolean settle(V now, Throwable reason) {
            if (!writeIf(() -> !done)) {
                return false;
            }
            done = true;
            value = now;
            failure = reason;
            return true;
        }

        public boolean isCompletedExceptionally() {
            read();
            return failure != null;
        }

        public Throwable exceptionNow() {
            return failure;
        }

        public V getNow(V other) {
            read();
            return done ? value : other;
        }

        public V get() throws InterruptedException, ExecutionException {
            return outcome();
        }

        private V outcome() throws ExecutionException {
            read();
            if (!done) {
                Actor.sleepUntil(() -> done);
                Orders.note(this, false);
            }
            if (failure != null) {
                throw new ExecutionException(failure);
            }
            return value;
        }

        public V get(long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            return outcome();
        }

        public V join() {
            try {
                return outcome();
            } catch (ExecutionException e) {
                throw new CompletionException(failure);
            }
        }
    }

    /** Stands for System.Logger: what the driver says is an error that it caught. */
    public static final class Log {

        public static Log getLogger(String name) {
            return new Log();
        }

        public void log(System.Logger.Level level, String text, Throwable thrown) {
            Orders.require(false, text + ": " + thrown);
        }
    }

    /** Stands for System: no time passes. */
    public static final class Clock {

        private Clock() {
        }

        public static long nanoTime() {
            return TimeUnit.HOURS.toNanos(1);
        }
    }
}
