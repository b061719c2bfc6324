// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Watches each sequence of a property with the {@link Watchdog}. If the system property {@code jurom.long} is
 * true, a property has 10,000 sequences.
 */
final class Watched implements AroundPropertyHook, AroundTryHook {

    private static final int MANY = 10_000; // sequences
    private static final int LONGEST_SECONDS = 300; // maximum time of a sequence on a loaded machine
    private static final int OUTERMOST = -100; // includes the code that runs after each try

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        if (Boolean.getBoolean("jurom.long")) {
            context.attributes().setTries(MANY);
        }
        return property.execute();
    }

    @Override
    public TryExecutionResult aroundTry(TryLifecycleContext context, TryExecutor sequence, List<Object> parameters) {
        var over = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("watchdog").start(() -> Watchdog.watch(over, LONGEST_SECONDS));
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
}
