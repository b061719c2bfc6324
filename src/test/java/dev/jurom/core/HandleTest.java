// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.jurom.fixture.MemoryFixture;
import dev.jurom.fixture.OtherThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls all public methods of handles that are closed, or whose engine belongs to another thread. */
class HandleTest {

    private static final int SIZE = 64;
    /** Methods that only read fields of the Java object. */
    private static final Set<String> ALWAYS = Set.of(
            "advice",
            "close",
            "context",
            "destination",
            "elementSize",
            "engine",
            "isCompleted",
            "isInFlight",
            "isOpen",
            "isOwner",
            "isStarted",
            "isSuccessful",
            "map",
            "references",
            "source",
            "toString");

    private MemoryFixture fixture;
    private DmaContext dma;
    private ShaContext sha;
    private SyncEvent event;
    private Graph graph;
    private GraphInstance instance;
    private BufferInventory inventory;
    private BufferPool pool;
    private MemoryMap map;
    private Buffer source;
    private Buffer destination;
    private DmaCopyTask copy;
    private final Map<Class<?>, Object> arguments = new HashMap<>();

    @BeforeEach
    void open() {
        fixture = new MemoryFixture(SIZE);
        map = MemoryMap.create().setRange(Arena.ofAuto().allocate(SIZE, 8)).start();
        inventory = BufferInventory.create(2).start();
        pool = BufferPool.create(2, 8, map).start();
        source = fixture.source(0, 8);
        destination = fixture.destination(8, 8);
        dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
        sha = ShaContext.create(fixture.engine(), fixture.device());
        event = SyncEvent.create(fixture.engine(), fixture.device());
        graph = Graph.create(fixture.engine(), 1);
        var node = graph.addTask(dma);
        graph.start();
        copy = dma.copyTask(source, destination);
        instance = graph.instance().set(node, copy);
        arguments.putAll(Map.of(
                int.class,
                1,
                long.class,
                1L,
                Duration.class,
                Duration.ZERO,
                MemorySegment.class,
                Arena.ofAuto().allocate(8, 8),
                Set.class,
                Set.of(),
                byte[].class,
                new byte[8],
                Device.class,
                fixture.device(),
                GraphNode.class,
                node));
        arguments.putAll(Map.of(
                Buffer.class, source,
                MemoryMap.class, fixture.map(),
                Context.class, dma,
                Task.class, copy,
                GraphInstance.class, instance,
                Graph.class, graph));
    }

    @AfterEach
    void close() {
        instance.close();
        graph.close();
        copy.close();
        event.close();
        sha.close();
        dma.close();
        source.close();
        destination.close();
        pool.close();
        inventory.close();
        map.close();
        fixture.close();
    }

    private Object argument(Class<?> type) {
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isInterface() && !arguments.containsKey(type)) {
            return Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, values) -> method.getReturnType() == boolean.class ? false : null);
        }
        return arguments.get(type);
    }

    private static List<Method> methodsOf(Object handle) {
        return Arrays.stream(handle.getClass().getMethods())
                .filter(method -> method.getDeclaringClass().getPackage() == Handle.class.getPackage())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !ALWAYS.contains(method.getName()))
                .toList();
    }

    /** Returns the methods that do not throw this exception with this text in its message. */
    private List<String> accepted(Object handle, Class<? extends Throwable> refusal, String text, Set<String> except) {
        var accepted = new ArrayList<String>();
        for (var method : methodsOf(handle)) {
            var values = Arrays.stream(method.getParameterTypes()).map(this::argument);
            Throwable thrown = null;
            try {
                method.invoke(handle, values.toArray());
            } catch (InvocationTargetException e) {
                thrown = e.getCause();
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
            var refused = refusal.isInstance(thrown) && thrown.getMessage().contains(text);
            if (!refused && !except.contains(method.getName())) {
                accepted.add(method.getName() + ": " + thrown);
            }
        }
        return accepted;
    }

    @Test
    void all_methods_of_a_closed_handle_throw_and_name_it() {
        var engine = ProgressEngine.create();
        for (var handle : List.of(event, sha, instance, graph, copy, dma, source, pool, inventory, map, engine)) {
            try {
                ((AutoCloseable) handle).close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            var name = handle.toString();
            assertFalse(name.isBlank());
            var text = handle instanceof Task || handle instanceof Buffer ? "" : name + " is closed";
            assertEquals(List.of(), accepted(handle, IllegalStateException.class, text, Set.of("servers")), name);
        }
    }

    @Test
    void all_methods_of_a_handle_with_an_engine_throw_in_another_thread() {
        // The value of a counter may be read, changed and awaited by any thread.
        var shared = Set.of("value", "set", "add", "awaitGreater", "awaitEqual", "awaitNotEqual");
        for (var handle : List.of(event, sha, instance, graph, copy, dma, fixture.engine())) {
            var accepted =
                    OtherThread.run("intruder", () -> accepted(handle, WrongThreadException.class, "intruder", shared));
            assertEquals(List.of(), accepted, handle.toString());
        }
    }
}
