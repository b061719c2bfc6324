// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** What stands for the JDK's classes in the code that is explored: each operation is a step. */
public final class Stepped {

    private Stepped() {
    }

    /** Stands for AtomicReference. */
    public static class Reference<V> {

        private V value;

        public Reference() {
        }

        public Reference(V value) {
            this.value = value;
        }

        public V get() {
            Orders.step();
            return value;
        }

        public V getAcquire() {
            return get();
        }

        public V getPlain() {
            return value;
        }

        public void set(V now) {
            Orders.step();
            value = now;
        }

        public void setRelease(V now) {
            set(now);
        }

        public void setPlain(V now) {
            value = now;
        }

        public V getAndSet(V now) {
            Orders.step();
            var before = value;
            value = now;
            return before;
        }

        public boolean compareAndSet(V expected, V now) {
            Orders.step();
            if (value != expected) {
                return false;
            }
            value = now;
            return true;
        }
    }

    /** Stands for AtomicLong. */
    public static class Number {

        private long value;

        public Number() {
        }

        public Number(long value) {
            this.value = value;
        }

        public long get() {
            Orders.step();
            return value;
        }

        public long getAcquire() {
            return get();
        }

        public long getPlain() {
            return value;
        }

        public void setRelease(long now) {
            Orders.step();
            value = now;
        }

        public boolean compareAndSet(long expected, long now) {
            Orders.step();
            if (value != expected) {
                return false;
            }
            value = now;
            return true;
        }
    }

    /** Stands for AtomicInteger. */
    public static class Count {

        private int value;

        public int get() {
            Orders.step();
            return value;
        }

        public int getAcquire() {
            return get();
        }

        public int getPlain() {
            return value;
        }

        public void setRelease(int now) {
            Orders.step();
            value = now;
        }

        public int incrementAndGet() {
            Orders.step();
            return ++value;
        }

        public int decrementAndGet() {
            Orders.step();
            return --value;
        }
    }

    /** Stands for AtomicBoolean. */
    public static class Flag {

        private boolean value;

        public void setPlain(boolean now) {
            value = now;
        }

        public boolean getAndSet(boolean now) {
            Orders.step();
            var before = value;
            value = now;
            return before;
        }
    }

    /** Stands for AtomicReferenceArray. */
    public static class References<V> {

        private final Object[] values;

        public References(int length) {
            values = new Object[length];
        }

        @SuppressWarnings("unchecked")
        public V get(int place) {
            Orders.step();
            return (V) values[place];
        }

        public void set(int place, V now) {
            Orders.step();
            values[place] = now;
        }

        public boolean compareAndSet(int place, V expected, V now) {
            Orders.step();
            if (values[place] != expected) {
                return false;
            }
            values[place] = now;
            return true;
        }
    }

    /** Stands for ConcurrentLinkedQueue. */
    public static class Line<E> extends ArrayDeque<E> {

        private static final long serialVersionUID = 1;

        @Override
        public boolean add(E element) {
            Orders.step();
            return super.add(element);
        }

        @Override
        public E poll() {
            Orders.step();
            return super.poll();
        }

        @Override
        public boolean isEmpty() {
            Orders.step();
            return super.isEmpty();
        }
    }

    /** Stands for ReentrantLock. */
    public static class Lock {

        private Actor owner;

        public void lock() {
            Orders.step();
            if (owner != null) {
                Actor.sleepUntil(() -> owner == null);
            }
            owner = Orders.running();
        }

        public void lockInterruptibly() {
            lock();
        }

        public void unlock() {
            Orders.step();
            owner = null;
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

    /** Stands for LockSupport. */
    public static final class Parking {

        private Parking() {
        }

        public static void parkNanos(Object blocker, long nanos) {
            Actor.park();
        }

        public static void unpark(Actor actor) {
            Actor.unpark(actor);
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
