// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the packages dev.jurom.core and dev.jurom.runtime. */
@ForEveryRuntime
class CoreExampleTest {

    @Test
    void a_device_copies_memory() {
        var deadline = Duration.ofSeconds(30);
        byte last;
        // @start region="copy"
        try (var arena = Arena.ofConfined();
                var engine = ProgressEngine.create();
                var device = Device.open();
                var map = MemoryMap.create()
                        .setRange(arena.allocate(8192))
                        .addDevice(device)
                        .start();
                var inventory = BufferInventory.create(2).start();
                var source = inventory.dataBuffer(map, 0, 4096);
                var destination = inventory.buffer(map, 4096, 4096);
                var dma = DmaContext.create(engine, device, 1)) {
            source.data().fill((byte) 7);
            dma.startAndWait(deadline);
            try (var copy = dma.copyTask(source, destination)) {
                copy.submit();
                engine.progressUntil(copy::isCompleted, deadline);
                copy.requireSuccess();
            }
            last = destination.data().get(ValueLayout.JAVA_BYTE, 4095);
        }
        // @end
        assertEquals(7, last);
    }

    @Test
    void the_runtime_describes_itself() {
        // @start region="runtime"
        var runtime = DocaRuntime.current();
        var line = runtime.summary() + ". " + runtime.passedOver();
        // @end
        assertEquals(runtime.kind() == RuntimeKind.SOFTWARE, line.startsWith("software ("));
    }
}
