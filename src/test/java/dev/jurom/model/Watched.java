// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import dev.jurom.testing.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Watches a property's sequences: when one hangs, the stacks of all threads are printed, virtual
 * ones included, and this JVM ends, as nothing else would end it. There are 10,000 sequences where
 * the system property {@code jurom.long} is true.
 */
final class Watched implements AroundPropertyHook, AroundTryHook {

    private static final int MANY = 10_000; // sequences
    private static final int LONGEST_SECONDS = 300; // that a sequence takes on a busy machine
    private static final int OUTERMOST = -100; // around what runs after each try, too

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context,
            PropertyExecutor property) {
        if (Boolean.getBoolean("jurom.long")) {
            context.attributes().setTries(MANY);
        }
        return property.execute();
    }

    @Override
    public TryExecutionResult aroundTry(TryLifecycleContext context, TryExecutor sequence,
            List<Object> parameters) {
        var over = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("watchdog").start(() -> watch(over));
        try {
            return sequence.execute(parameters);
        } finally {
            over.countDown();
        }
    }

    @Override
    public int aroundTryProximity() {
        return OUTERMOST;
    }

    private static void watch(CountDownLatch over) {
        try {
            if (!over.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("A sequence hangs for " + LONGEST_SECONDS + " s:\n" + stacks());
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The stacks of all threads of this JVM. */
    static String stacks() throws IOException {
        var file = Files.createTempFile("jurom-stacks", ".txt");
        try {
            Command.run(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    Long.toString(ProcessHandle.current().pid()), "Thread.dump_to_file",
                    "-overwrite", file.toString());
            return Files.readString(file);
        } finally {
            Files.delete(file);
        }
    }
}
