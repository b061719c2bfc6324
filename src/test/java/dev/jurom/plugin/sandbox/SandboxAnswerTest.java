// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests answers of other worker implementations with different notification types. */
class SandboxAnswerTest {

    private static final long HANDLE = 77;

    /** Returns an answer to a mapping with a handle and the type of a received message. */
    private static Path strangePlugin(Path folder) {
        var file = folder.resolve("worker_strange.so");
        var words = new ArrayList<>(List.of(
                "cc",
                "-shared",
                "-fPIC",
                "-D_GNU_SOURCE",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I",
                Command.ROOT.resolve("headers").toString(),
                "-o",
                file.toString(),
                Command.ROOT.resolve("src/test/c/plugins_under_test/strange.c").toString()));
        words.addAll(Command.flags("ucx"));
        Command.run(words);
        return file;
    }

    @Test
    void an_answer_to_a_mapping_is_parsed_regardless_of_its_type(@TempDir Path folder) {
        strangePlugin(folder);
        try (var embedded = EmbeddedService.open(
                        before -> DaemonConfiguration.builder(before.workers().program(), List.of(folder))
                                .build());
                var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)) {
            service.start();
            var plugin = service.plugin("worker_strange");
            try (var memory = HostMemory.open();
                    var arena = Arena.ofConfined();
                    var region = memory.share(arena.allocate(10));
                    var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
                worker.startAndWait(ServiceFixture.DEADLINE);
                var sandbox = SandboxPlugin.of(worker, plugin, ServiceFixture.DEADLINE);

                assertEquals(HANDLE, sandbox.map(region, ServiceFixture.DEADLINE));
                worker.stopAndWait(ServiceFixture.DEADLINE);
            }
        }
    }
}
