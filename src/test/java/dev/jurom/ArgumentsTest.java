// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.Device;
import dev.jurom.core.MemoryMap;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.SyncEvent;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.UromService;
import dev.jurom.urom.exchange.ThreadExchange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls the public methods of the library with null for each parameter, and with extreme numbers. A null that is
 * not permitted is rejected at once, and no number leads to an error of the JVM.
 */
class ArgumentsTest {

    private static final long PATIENCE_SECONDS = 20;
    private static final int LEAST_CALLS = 100;
    private static final List<String> OPENING = List.of("builder", "of");

    /** Objects by their classes: the receivers of calls, and their other arguments. */
    private static final Map<Class<?>, Object> SAMPLES = new LinkedHashMap<>();

    private static final List<AutoCloseable> OPENED = new ArrayList<>();

    /** A call of a method or constructor. */
    private record Call(Executable method, @Nullable Object receiver, Object[] arguments) {

        /** Returns what it throws, or what fails the future that it returns, or null. */
        @Nullable
        Throwable run() {
            try {
                var result = method instanceof Method its
                        ? its.invoke(receiver, arguments)
                        : ((Constructor<?>) method).newInstance(arguments);
                if (result instanceof CompletableFuture<?> future) {
                    return future.handle((answer, failure) -> failure)
                            .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                            .join();
                }
                if (result instanceof AutoCloseable opened && result != receiver) {
                    opened.close();
                }
                return null;
            } catch (InvocationTargetException e) {
                return e.getCause();
            } catch (Exception e) {
                throw new AssertionError(toString(), e);
            }
        }

        @Override
        public String toString() {
            return method.getDeclaringClass().getName() + "." + method.getName()
                    + Arrays.toString(method.getParameterTypes()) + " with " + Arrays.toString(arguments);
        }
    }

    @BeforeAll
    static void open() throws Exception {
        var urom = opened(Urom.open());
        SAMPLES.put(Urom.class, urom);
        SAMPLES.put(Worker.class, opened(urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))));
        var arena = Arena.ofShared();
        SAMPLES.put(MemorySegment.class, arena.allocate(4096));
        SAMPLES.put(MemoryMap.class, opened(MemoryMap.create()));
        var engine = opened(ProgressEngine.create());
        SAMPLES.put(ProgressEngine.class, engine);
        var device = opened(Device.open());
        SAMPLES.put(Device.class, device);
        SAMPLES.put(SyncEvent.class, opened(SyncEvent.create(engine, device)));
        SAMPLES.put(UromService.class, opened(UromService.create(engine, device)));
        SAMPLES.put(Offload.class, GraphPlugin.LOOPBACK);
        var exchange = opened(ThreadExchange.open(1).getFirst());
        SAMPLES.put(ThreadExchange.class, exchange);
        SAMPLES.put(dev.jurom.urom.exchange.OutOfBandExchange.class, exchange);
        SAMPLES.put(Duration.class, Duration.ofMillis(10));
        SAMPLES.put(String.class, "text");
        SAMPLES.put(String[].class, new String[] {"text"});
        SAMPLES.put(byte[].class, new byte[16]);
        SAMPLES.put(Path.class, Path.of("/nowhere"));
        SAMPLES.put(java.net.InetSocketAddress.class, new java.net.InetSocketAddress("127.0.0.1", 0));
        for (var type : publicTypes()) {
            for (var method : type.getMethods()) {
                if (Modifier.isStatic(method.getModifiers()) && OPENING.contains(method.getName())) {
                    sample(method);
                }
            }
            for (var field : type.getFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == type) {
                    SAMPLES.putIfAbsent(type, field.get(null));
                }
            }
        }
    }

    private static <T extends AutoCloseable> T opened(T object) {
        OPENED.addFirst(object);
        return object;
    }

    private static void sample(Method method) {
        var arguments = arguments(method);
        try {
            if (arguments != null) {
                SAMPLES.putIfAbsent(method.getReturnType(), method.invoke(null, arguments));
            }
        } catch (InvocationTargetException e) {
            // The samples are not valid arguments for this method.
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    static void close() throws Exception {
        for (var object : OPENED) {
            object.close();
        }
    }

    private static List<Class<?>> publicTypes() {
        try {
            var place = Path.of(URI.create(Urom.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString()));
            var module = ModuleFinder.of(place).find("dev.jurom").orElseThrow();
            var exported = new TreeSet<String>();
            module.descriptor().exports().stream()
                    .filter(exports -> !exports.isQualified())
                    .forEach(exports -> exported.add(exports.source()));
            try (var reader = module.open();
                    var names = reader.list()) {
                return names.filter(name -> name.endsWith(".class") && name.contains("/"))
                        .map(name -> name.substring(0, name.length() - ".class".length())
                                .replace('/', '.'))
                        .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                        .map(ArgumentsTest::load)
                        .filter(type -> Modifier.isPublic(type.getModifiers()) && !type.isEnum())
                        .<Class<?>>map(type -> type)
                        .toList();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, Urom.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object argument(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type.isPrimitive()) {
            return type == long.class ? (Object) 1L : type == int.class ? (Object) 1 : null;
        }
        return SAMPLES.entrySet().stream()
                .filter(sample -> type.isAssignableFrom(sample.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElseGet(() -> type.isInterface() && !type.isSealed()
                        ? Proxy.newProxyInstance(
                                type.getClassLoader() == null ? Urom.class.getClassLoader() : type.getClassLoader(),
                                new Class<?>[] {type},
                                (proxy, method, them) -> method.getName().equals("hashCode") ? (Object) 1 : null)
                        : null);
    }

    /** Returns arguments, or null if there is no sample for one. */
    private static Object @Nullable [] arguments(Executable method) {
        var arguments = Stream.of(method.getParameterTypes())
                .map(ArgumentsTest::argument)
                .toArray();
        return Arrays.asList(arguments).contains(null) ? null : arguments;
    }

    /** Returns the calls that can be made, with the samples. */
    private static List<Call> calls(boolean onlyStatic) {
        var calls = new ArrayList<Call>();
        for (var type : publicTypes()) {
            Stream.concat(Stream.of(type.getConstructors()), Stream.of(type.getMethods()))
                    .filter(method ->
                            method.getDeclaringClass().getName().startsWith("dev.jurom.") && !method.isSynthetic())
                    .filter(method -> !(Modifier.isAbstract(type.getModifiers()) && !(method instanceof Method)))
                    .filter(method -> !List.of("equals", "close", "compareTo").contains(method.getName()))
                    .forEach(method -> {
                        var isStatic = !(method instanceof Method) || Modifier.isStatic(method.getModifiers());
                        var receiver = isStatic ? null : SAMPLES.get(type);
                        var arguments = arguments(method);
                        if (arguments != null
                                && arguments.length > 0
                                && (isStatic || receiver != null)
                                && (isStatic
                                        || !onlyStatic
                                        || type.getSimpleName().equals("Builder"))) {
                            calls.add(new Call(method, receiver, arguments));
                        }
                    });
        }
        return calls;
    }

    @Test
    @Timeout(120)
    void null_is_rejected_at_once() {
        var accepted = new ArrayList<String>();
        var count = 0;
        for (var call : calls(false)) {
            for (var i = 0; i < call.arguments.length; i++) {
                if (call.method.getParameterTypes()[i].isPrimitive()
                        || call.method.getAnnotatedParameterTypes()[i].isAnnotationPresent(Nullable.class)) {
                    continue;
                }
                var arguments = call.arguments.clone();
                arguments[i] = null;
                var one = new Call(call.method, call.receiver, arguments);
                var thrown = one.run();
                ++count;
                if (thrown == null || thrown instanceof AssertionError) {
                    accepted.add(one + ": " + thrown);
                }
            }
        }
        assertTrue(count > LEAST_CALLS, count + " calls");
        assertEquals(List.of(), accepted, String.join("\n", accepted));
    }

    @Test
    @Timeout(120)
    void extreme_numbers_lead_to_no_error_of_the_JVM() {
        var failed = new ArrayList<String>();
        var count = 0;
        for (var call : calls(true)) {
            for (var i = 0; i < call.arguments.length; i++) {
                var type = call.method.getParameterTypes()[i];
                if (type != int.class && type != long.class) {
                    continue;
                }
                for (var number :
                        new long[] {Long.MIN_VALUE, Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE, Long.MAX_VALUE}) {
                    if (type == int.class && number != (int) number) {
                        continue;
                    }
                    var arguments = call.arguments.clone();
                    arguments[i] = type == int.class ? (Object) (int) number : (Object) number;
                    var one = new Call(call.method, call.receiver, arguments);
                    var thrown = one.run();
                    ++count;
                    if (thrown instanceof Error
                            || thrown instanceof NegativeArraySizeException
                            || thrown instanceof IndexOutOfBoundsException) {
                        failed.add(one + ": " + thrown);
                    }
                }
            }
        }
        assertTrue(count > LEAST_CALLS, count + " calls");
        assertEquals(List.of(), failed, String.join("\n", failed));
    }
}
