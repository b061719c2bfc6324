// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Tests that a worker answers commands of any bytes and continues. */
class AnyBytesPropertiesTest {

    /** The type of the tagged receive, which may wait for a message forever. */
    private static final long SANDBOX_RECEIVE = 2;

    private static ServiceFixture fixture;
    private static UromWorker worker;
    private static CommandTask sandbox;
    private static CommandTask rdmo;
    private static CommandTask graph;

    @BeforeContainer
    static void open() {
        fixture = ServiceFixture.open();
        var sandboxPlugin = SandboxPlugin.find(fixture.service());
        var rdmoPlugin = RdmoPlugin.find(fixture.service());
        worker = UromWorker.create(fixture.engine(), fixture.service())
                .setPlugins(sandboxPlugin, rdmoPlugin, fixture.graph());
        worker.startAndWait(DEADLINE);
        sandbox = worker.commandTask(sandboxPlugin);
        rdmo = worker.commandTask(rdmoPlugin);
        graph = worker.commandTask(fixture.graph());
    }

    @AfterContainer
    static void close() {
        sandbox.close();
        rdmo.close();
        graph.close();
        worker.close();
        fixture.close();
    }

    /** Generates bytes that often resemble commands, with a small type and small numbers. */
    @Provide
    Arbitrary<byte[]> commands() {
        var bytes = Arbitraries.bytes().withDistribution(RandomDistribution.biased());
        var any = bytes.array(byte[].class).ofMaxSize(200);
        return Arbitraries.integers()
                .between(0, 6)
                .flatMap(type -> any.map(command -> {
                    for (var i = 0; i < Math.min(Long.BYTES, command.length); i++) {
                        command[i] = (byte) (i == 0 ? type : 0);
                    }
                    return command;
                }));
    }

    private static void answers(CommandTask task, byte[] command) {
        MemorySegment.copy(command, 0, task.payload(), ValueLayout.JAVA_BYTE, 0, command.length);
        task.setPayloadLength(command.length).submit();
        ServiceFixture.await(task);

        assertTrue(task.isCompleted());
        assertEquals(ContextState.RUNNING, worker.state());
        assertEquals(command.length, ServiceFixture.loopback(graph, command.length));
    }

    @Property(tries = 300)
    void the_rdmo_plugin_answers_any_bytes(@ForAll("commands") byte[] command) {
        answers(rdmo, command);
    }

    @Property(tries = 300)
    void the_sandbox_plugin_answers_any_bytes(@ForAll("commands") byte[] command) {
        if (command.length > 0 && command[0] == SANDBOX_RECEIVE) {
            command[0]++;
        }
        answers(sandbox, command);
    }
}
