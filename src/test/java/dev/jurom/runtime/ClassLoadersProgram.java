// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.function.LongUnaryOperator;

/** Deploys {@link Deployment} repeatedly, each time in a new class loader. */
public final class ClassLoadersProgram {

    private ClassLoadersProgram() {}

    private static URLClassLoader loader() throws IOException {
        var urls = new ArrayList<URL>();
        for (var folder : (Command.CLASS_PATH + ":" + Command.TESTS).split(":")) {
            urls.add(Path.of(folder).toUri().toURL());
        }
        // Only the bootstrap loader does not find the module of this program.
        return new URLClassLoader(urls.toArray(URL[]::new), null);
    }

    private static LongUnaryOperator deploy(ClassLoader loader) throws Throwable {
        var type = loader.loadClass(Deployment.class.getName());
        return (LongUnaryOperator) MethodHandles.publicLookup()
                .findConstructor(type, MethodType.methodType(void.class))
                .invoke();
    }

    private static void undeploy(LongUnaryOperator deployment) throws Exception {
        ((AutoCloseable) deployment).close();
    }

    private static void require(LongUnaryOperator deployment, long value) {
        if (deployment.applyAsLong(value) != value) {
            throw new AssertionError("not " + value);
        }
    }

    private static WeakReference<ClassLoader> useTwoAtATime() throws Throwable {
        try (var first = loader();
                var second = loader()) {
            var old = deploy(first);
            var fresh = deploy(second);
            require(old, 1);
            require(fresh, 2);
            undeploy(fresh);
            require(old, 3);
            undeploy(old);
            return new WeakReference<>(first);
        }
    }

    private static WeakReference<ClassLoader> use() throws Throwable {
        try (var loader = loader()) {
            var deployment = deploy(loader);
            require(deployment, 4);
            undeploy(deployment);
            return new WeakReference<>(loader);
        }
    }

    private static void awaitCollected(WeakReference<ClassLoader> loader) {
        Waiting.until("the class loader is collected", () -> {
            System.gc();
            return loader.refersTo(null);
        });
    }

    /** Exits with code 1 and a stack trace if a class loader cannot use jurom or is not collected. */
    public static void main(String[] arguments) throws Throwable {
        System.out.println(DocaRuntime.current().summary()); // in the application class loader
        awaitCollected(useTwoAtATime());
        awaitCollected(use());
    }
}
