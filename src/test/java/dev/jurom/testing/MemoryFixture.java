// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.core.Buffer;
import dev.jurom.core.BufferInventory;
import dev.jurom.core.Context;
import dev.jurom.core.Device;
import dev.jurom.core.MemoryMap;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.Task;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** An engine, a device, and a started map with an inventory: what tests of memory tasks need. */
public final class MemoryFixture implements AutoCloseable {

    /** How long anything may take before a test fails. */
    public static final Duration DEADLINE = Duration.ofSeconds(30);

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;
    private final ProgressEngine engine = ProgressEngine.create();
    private final Device device = Device.open();
    private final MemoryMap map;
    private final BufferInventory inventory = BufferInventory.create(64).start();

    /** Maps some bytes. */
    public MemoryFixture(long bytes) {
        memory = arena.allocate(bytes, 64);
        map = MemoryMap.create().setRange(memory).addDevice(device).start();
    }

    /** The engine. */
    public ProgressEngine engine() {
        return engine;
    }

    /** The device, which the map knows. */
    public Device device() {
        return device;
    }

    /** The arena of the mapped memory. */
    public Arena arena() {
        return arena;
    }

    /** The mapped memory. */
    public MemorySegment memory() {
        return memory;
    }

    /** The map. */
    public MemoryMap map() {
        return map;
    }

    /** A buffer that is all data. */
    public Buffer source(long offset, long length) {
        return inventory.dataBuffer(map, offset, length);
    }

    /** A buffer that is all tail room. */
    public Buffer destination(long offset, long length) {
        return inventory.buffer(map, offset, length);
    }

    /** The inventory. */
    public BufferInventory inventory() {
        return inventory;
    }

    /** Starts a context and waits until it runs. */
    public <T extends Context> T start(T context) {
        context.startAndWait(DEADLINE);
        return context;
    }

    /** Submits a task and waits until it has completed. */
    public void run(Task task) {
        task.submit();
        await(task);
    }

    /** Waits until a task has completed. */
    public void await(Task task) {
        if (!engine.progressUntil(task::isCompleted, DEADLINE)) {
            throw new AssertionError(task + " did not complete within " + DEADLINE);
        }
    }

    @Override
    public void close() {
        inventory.close();
        map.close();
        device.close();
        engine.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
