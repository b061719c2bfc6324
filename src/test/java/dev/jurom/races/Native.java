// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import dev.jurom.core.DocaError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** What stands for the library in the code that is explored: it answers what it is sent. */
public final class Native {

    private static final List<Waiting> DESCRIPTORS = new ArrayList<>();

    private Native() {
    }

    /** What a descriptor is readable for. */
    public interface Waiting {

        /** Asked between steps. */
        boolean isReadable();
    }

    private static int descriptorOf(Waiting waiting) {
        DESCRIPTORS.add(waiting);
        return DESCRIPTORS.size() - 1;
    }

    /** Stands for ProgressEngine: one actor has it at a time. */
    public static final class Engine extends Shared implements Waiting {

        private final ArrayDeque<Task> submitted = new ArrayDeque<>();
        private final ArrayDeque<Task> answered = new ArrayDeque<>();
        private final int handle;
        private Actor owner;
        private boolean armed;

        public Engine(Actor owner) {
            DESCRIPTORS.clear();
            this.owner = owner;
            this.handle = descriptorOf(this);
        }

        @Override
        public boolean isReadable() {
            return armed && !answered.isEmpty();
        }

        public void acquire() {
            write();
            Orders.require(owner == null, "two have the engine");
            owner = Orders.running();
        }

        public void release() {
            write();
            requireOwned();
            owner = null;
        }

        public int progress(int most) {
            writeIf(() -> !answered.isEmpty());
            requireOwned();
            var done = 0;
            for (; done < most && !answered.isEmpty(); done++) {
                var task = answered.poll();
                task.inFlight = false;
                task.completion.run();
            }
            return done;
        }

        public void requestNotification() {
            write();
            requireOwned();
            armed = true;
        }

        public void clearNotification() {
            write();
            requireOwned();
            armed = false;
        }

        public int notificationHandle() {
            return handle;
        }

        private void touch() {
            write();
        }

        private void requireOwned() {
            Orders.require(owner == Orders.running(), "the engine is another's");
        }

        /** A worker's life: answers one after another. */
        public void answerAll() {
            while (true) {
                Actor.sleepUntil(() -> !submitted.isEmpty());
                Orders.note(this, true);
                answered.add(submitted.poll());
            }
        }
    }

    /** Stands for Submission. */
    public static final class Batch {

        private final Engine engine;
        private final int capacity;
        private final List<Task> tasks = new ArrayList<>();

        public Batch(Engine engine, int capacity) {
            this.engine = engine;
            this.capacity = capacity;
        }

        public int size() {
            return tasks.size();
        }

        public boolean isFull() {
            return tasks.size() == capacity;
        }

        public Batch add(Task task) {
            tasks.add(task);
            return this;
        }

        public void submit() {
            engine.touch();
            engine.requireOwned();
            for (var task : tasks) {
                Orders.require(!task.inFlight, "a command is submitted twice");
                task.inFlight = true;
                engine.submitted.add(task);
            }
            tasks.clear();
        }
    }

    /** Stands for CommandTask; it is answered with its payload. */
    public static final class Task {

        private final MemorySegment payload = MemorySegment.ofArray(new long[1]);
        private Runnable completion;
        private boolean inFlight;

        public void onCompletion(Runnable done) {
            completion = done;
        }

        public MemorySegment payload() {
            return payload;
        }

        public MemorySegment response() {
            return MemorySegment.ofArray(new long[] {payload.get(ValueLayout.JAVA_LONG, 0)});
        }

        public Task setPlugin(long plugin) {
            return this;
        }

        public Task setPayloadLength(long length) {
            return this;
        }

        public boolean isInFlight() {
            return inFlight;
        }

        public void submit() {
            throw new AssertionError("commands are submitted in batches");
        }

        public DocaError status() {
            return DocaError.SUCCESS;
        }
    }

    /** Stands for EventDescriptor. */
    public static final class Event extends Shared implements Waiting {

        private final int descriptor = descriptorOf(this);
        private boolean signalled;
        private boolean closed;

        public int descriptor() {
            return descriptor;
        }

        @Override
        public boolean isReadable() {
            return signalled;
        }

        public void signal() {
            write();
            Orders.require(!closed, "a descriptor is signalled that is somebody else's by now");
            signalled = true;
        }

        public void drain() {
            write();
            Orders.require(!closed, "a descriptor is read that is somebody else's by now");
            signalled = false;
        }

        public void close() {
            write();
            closed = true;
        }
    }

    /** Stands for Poll; no time passes. */
    public static final class Poll {

        private final Waiting one;
        private final Waiting other;

        public Poll(Arena arena, int... descriptors) {
            this.one = DESCRIPTORS.get(descriptors[0]);
            this.other = DESCRIPTORS.get(descriptors[1]);
        }

        public boolean await(Duration atMost) {
            Woven.read(one);
            Woven.read(other);
            if (!one.isReadable() && !other.isReadable()) {
                Actor.sleepUntil(() -> one.isReadable() || other.isReadable());
                Orders.note((Shared) one, false);
                Orders.note((Shared) other, false);
            }
            return true;
        }
    }
}
