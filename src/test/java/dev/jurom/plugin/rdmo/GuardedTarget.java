// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.testing.GuardedMemory;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A target with a worker and two registered regions between guard pages: one for a pointer, one for data. Its
 * peers run in the same thread.
 */
final class GuardedTarget implements AutoCloseable {

    static final long CLIENT = 7;
    static final int DATA_SIZE = 3 * GuardedMemory.PAGE;

    private final ServiceFixture fixture = ServiceFixture.open();
    private final PluginInfo plugin = RdmoPlugin.find(fixture.service());
    private final UromWorker worker = startWorker();
    private final RdmoPlugin rdmo = RdmoPlugin.of(worker, plugin);
    private final HostMemory memory = HostMemory.open();
    private final GuardedMemory pointerPages = GuardedMemory.ofPages(1);
    private final GuardedMemory dataPages = GuardedMemory.ofPages(DATA_SIZE / GuardedMemory.PAGE);
    private final HostRegion pointerRegion = memory.share(pointerPages.end(Long.BYTES));
    private final HostRegion dataRegion = memory.share(dataPages.memory());
    private final byte[] address = rdmo.initializeClient(CLIENT, memory, DEADLINE);
    private final long pointerKey = rdmo.register(pointerRegion, DEADLINE);
    private final long dataKey = rdmo.register(dataRegion, DEADLINE);

    UromWorker startWorker() {
        var started = UromWorker.create(fixture.engine(), fixture.service()).setPlugins(plugin);
        started.startAndWait(DEADLINE);
        return started;
    }

    PluginInfo plugin() {
        return plugin;
    }

    RdmoPlugin rdmo() {
        return rdmo;
    }

    HostMemory host() {
        return memory;
    }

    byte[] address() {
        return address;
    }

    /** Creates a peer whose requests the worker accepts. */
    RdmoPeer peer() {
        var peer = RdmoPeer.open();
        rdmo.createReceiveQueue(peer.address(), DEADLINE);
        peer.connect(address, CLIENT);
        return peer;
    }

    long pointerKey() {
        return pointerKey;
    }

    long pointerAddress() {
        return pointerRegion.address();
    }

    /** Returns the offset of the pointer in the data. */
    long pointer() {
        return pointerRegion.memory().get(ValueLayout.JAVA_LONG, 0) - dataRegion.address();
    }

    void setPointer(long offset) {
        pointerRegion.memory().set(ValueLayout.JAVA_LONG, 0, dataRegion.address() + offset);
    }

    long dataKey() {
        return dataKey;
    }

    long dataAddress() {
        return dataRegion.address();
    }

    MemorySegment data() {
        return dataRegion.memory();
    }

    HostRegion dataRegion() {
        return dataRegion;
    }

    /** Clears the data and resets the pointer to its beginning. */
    void reset() {
        data().fill((byte) 0);
        setPointer(0);
    }

    @Override
    public void close() {
        worker.close();
        dataRegion.close();
        pointerRegion.close();
        memory.close();
        dataPages.close();
        pointerPages.close();
        fixture.close();
    }
}
