// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.core.Context;
import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.MemoryMap;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Misuses handles in many ways, deliberately and at random. Each misuse must throw an exception, and objects
 * left open must cause no crash when they are garbage-collected.
 */
public final class MisuseProgram {

    private static final int ROUNDS = 40;

    private static int refusals;

    private MisuseProgram() {}

    /** Executes all misuses; exit code 0 means that the JVM survived and each was rejected. */
    public static void main(String[] arguments) {
        var fixture = ServiceFixture.open();
        throwFromCallbacks(fixture);
        useClosedViews(fixture);
        closeArenasTooEarly();
        closeInRandomOrders(fixture, new Random(7));
        useFromOtherThreads(fixture);
        forgetOpenObjects(fixture);
        fixture.close();
        System.out.println("survived " + refusals + " refusals");
    }

    private static void refused(Class<? extends Throwable> expected, Runnable misuse) {
        try {
            misuse.run();
        } catch (Throwable e) {
            if (!expected.isInstance(e)) {
                throw new AssertionError("expected " + expected, e);
            }
            refusals++;
            return;
        }
        throw new AssertionError("not rejected; expected " + expected);
    }

    private static void throwFromCallbacks(ServiceFixture fixture) {
        try (var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
            for (var error : List.of(new RuntimeException(), new OutOfMemoryError("on purpose"))) {
                task.onCompletion(done -> {
                    if (error instanceof RuntimeException exception) {
                        throw exception;
                    }
                    throw (Error) error;
                });
                task.submit();
                refused(error.getClass(), () -> ServiceFixture.await(task));
            }
            task.onCompletion(done -> overflow(0));
            task.submit();
            refused(StackOverflowError.class, () -> ServiceFixture.await(task));
        }
    }

    private static long overflow(long depth) {
        return overflow(depth + 1) + depth;
    }

    private static void useClosedViews(ServiceFixture fixture) {
        try (var worker = fixture.startWorker()) {
            var task = worker.commandTask(fixture.graph());
            ServiceFixture.loopback(task, 1);
            var views = List.of(task.payload(), task.response(), task.userData());
            task.close();
            for (var view : views) {
                refused(IllegalStateException.class, () -> view.fill((byte) 1));
                refused(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0));
            }
        }
    }

    private static void closeArenasTooEarly() {
        var arena = Arena.ofConfined();
        var map = MemoryMap.create().setRange(arena.allocate(1 << 16)).start();
        arena.close();
        refused(IllegalStateException.class, () -> map.range().get(ValueLayout.JAVA_BYTE, 0));
        map.close();
        refused(IllegalArgumentException.class, () -> MemoryMap.create().setRange(MemorySegment.NULL));
    }

    private static void closeInRandomOrders(ServiceFixture fixture, Random random) {
        for (var round = 0; round < ROUNDS; round++) {
            var engine = ProgressEngine.create();
            var device = Device.open();
            var worker = UromWorker.create(engine, fixture.service()).setPlugins(fixture.graph());
            worker.startAndWait(ServiceFixture.DEADLINE);
            var one = worker.commandTask(fixture.graph());
            var two = worker.commandTask(fixture.graph());
            var handles = new ArrayList<AutoCloseable>(List.of(engine, device, worker, one, two, engine, worker, one));
            while (engine.isOpen() || worker.isOpen()) {
                Collections.shuffle(handles, random);
                handles.forEach(MisuseProgram::tryToClose);
            }
            refused(IllegalStateException.class, engine::progress);
            refused(IllegalStateException.class, worker::id);
            refused(IllegalStateException.class, one::submit);
        }
    }

    private static void tryToClose(AutoCloseable handle) {
        try {
            handle.close();
        } catch (IllegalStateException e) {
            refusals++;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void useFromOtherThreads(ServiceFixture fixture) {
        try (var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            var view = task.payload();
            OtherThread.run("intruder", () -> {
                refused(WrongThreadException.class, task::submit);
                refused(WrongThreadException.class, task::close);
                refused(WrongThreadException.class, worker::close);
                refused(WrongThreadException.class, fixture.engine()::progress);
                refused(WrongThreadException.class, () -> view.fill((byte) 0));
                return null;
            });
        }
    }

    /** Opens objects with commands in flight and pending callbacks, and drops them. */
    private static void forgetOpenObjects(ServiceFixture fixture) {
        for (var i = 0; i < 5; i++) {
            OtherThread.run("forgetful", () -> {
                var engine = ProgressEngine.create();
                var worker = UromWorker.create(engine, fixture.service()).setPlugins(fixture.graph());
                worker.onStateChanged(MisuseProgram::ignore);
                worker.startAndWait(ServiceFixture.DEADLINE);
                CommandTask task = worker.commandTask(fixture.graph());
                task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
                task.submit();
                return null;
            });
            System.gc();
        }
        // The service has workers that can no longer be closed, and must report that instead of crashing.
        refused(IllegalStateException.class, fixture.service()::close);
        System.exit(fixture.service().state() == ContextState.RUNNING ? survived() : 2);
    }

    private static void ignore(Context context, ContextState previous, ContextState next) {
        if (next == ContextState.STARTING) {
            System.gc();
        }
    }

    private static int survived() {
        System.out.println("survived " + refusals + " refusals");
        return 0;
    }
}
