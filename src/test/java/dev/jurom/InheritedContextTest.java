// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that threads of the library and the service keep nothing of the thread that causes their start. */
class InheritedContextTest {

    /** Matches code that starts threads that inherit. */
    private static final Pattern INHERITS = Pattern.compile(
            "Thread\\s*\\.of(Platform|Virtual)\\(\\)(?!\\s*\\.inheritInheritableThreadLocals\\(false\\))"
                    + "|new Thread\\(|new Timer\\(|defaultForkJoinWorkerThreadFactory"
                    + "|Executors\\.new\\w+\\(\\w*\\)");

    /** A variable that records the classes that start threads which inherit its value. */
    private static final class User extends InheritableThreadLocal<String> {

        final Set<String> inherited = ConcurrentHashMap.newKeySet();

        @Override
        protected String childValue(String value) {
            StackWalker.getInstance()
                    .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                            .filter(name -> name.startsWith("dev.jurom.") && !name.startsWith(User.class.getName()))
                            .findFirst())
                    .filter(name -> !name.equals(InheritedContextTest.class.getName()))
                    .ifPresent(inherited::add);
            return value;
        }
    }

    @Test
    void threads_inherit_neither_variables_nor_the_class_loader_of_a_caller() throws Exception {
        var before = Thread.getAllStackTraces().keySet();
        var user = new User();
        var thread = Thread.currentThread();
        var usual = thread.getContextClassLoader();
        user.set("alice");
        try (var loader = new URLClassLoader(new URL[0], usual)) {
            thread.setContextClassLoader(loader);
            try (var urom = Urom.open();
                    var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                    var memory = HostMemory.open();
                    var writer = RdmoWriter.open()) {
                assertEquals(1, worker.submit(LOOPBACK, 1L).get());
                var started = new HashSet<>(Thread.getAllStackTraces().keySet());
                started.removeAll(before);
                assertEquals(
                        Set.of(),
                        started.stream()
                                .filter(other -> other.getContextClassLoader() == loader)
                                .map(Thread::getName)
                                .collect(Collectors.toSet()));
            }
        } finally {
            thread.setContextClassLoader(usual);
            user.remove();
        }
        assertEquals(Set.of(), user.inherited);
    }

    @Test
    void no_source_starts_a_thread_that_inherits() throws IOException {
        var found = new ArrayList<String>();
        try (var modules = Files.list(Command.ROOT.resolve("modules"))) {
            for (var module : Stream.concat(Stream.of(Command.ROOT), modules).toList()) {
                var sources = module.resolve("src/main/java");
                if (Files.isDirectory(sources) && !module.endsWith("jurom-fixture")) {
                    found.addAll(inheriting(sources));
                }
            }
        }
        assertEquals(List.of(), found);
    }

    private static List<String> inheriting(Path sources) throws IOException {
        try (var files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> INHERITS.matcher(read(file)).find())
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
