// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.exchange.ThreadExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Tests any messages between workers of a domain, inline or mapped, received before or after they are sent. */
class SandboxMessagesPropertiesTest {

    private static final int WORKERS = 3;
    private static final int LONGEST = 3000;
    private static final int MOST = 12;

    private static ServiceFixture fixture;
    private static ThreadExchange exchange;
    private static UromDomain domain;
    private static HostMemory memory;
    private static Arena arena;
    private static HostRegion sent;
    private static HostRegion room;
    private static final List<UromWorker> WORKER = new ArrayList<>();
    private static final List<SandboxPlugin> SANDBOX = new ArrayList<>();
    private static final List<Long> SENT_HANDLE = new ArrayList<>();
    private static final List<Long> ROOM_HANDLE = new ArrayList<>();

    @BeforeContainer
    static void open() {
        fixture = ServiceFixture.open();
        var plugin = SandboxPlugin.find(fixture.service());
        memory = HostMemory.open();
        arena = Arena.ofConfined();
        sent = memory.share(arena.allocate((long) MOST * LONGEST));
        room = memory.share(arena.allocate((long) MOST * LONGEST));
        var members = new HashMap<Long, UromWorker>();
        for (var i = 0L; i < WORKERS; i++) {
            var worker = UromWorker.create(fixture.engine(), fixture.service()).setPlugins(plugin);
            worker.startAndWait(DEADLINE);
            WORKER.add(worker);
            members.put(i, worker);
        }
        exchange = ThreadExchange.open(1).get(0);
        domain = UromDomain.create(fixture.engine(), exchange, members);
        domain.startAndWait(DEADLINE);
        for (var worker : WORKER) {
            var sandbox = SandboxPlugin.of(worker, plugin, DEADLINE);
            SANDBOX.add(sandbox);
            SENT_HANDLE.add(sandbox.map(sent, DEADLINE));
            ROOM_HANDLE.add(sandbox.map(room, DEADLINE));
        }
    }

    @AfterContainer
    static void close() {
        domain.close();
        exchange.close();
        WORKER.forEach(UromWorker::close);
        room.close();
        sent.close();
        memory.close();
        arena.close();
        fixture.close();
    }

    /** A message: sender, receiver, length, and how it is sent and received. */
    record Message(int from, int to, int length, boolean sentMapped, boolean receivedMapped, boolean receivedFirst) {}

    @Provide
    Arbitrary<List<Message>> messages() {
        var worker = Arbitraries.integers().between(0, WORKERS - 1);
        var flag = Arbitraries.of(true, false);
        return Combinators.combine(worker, worker, Arbitraries.integers().between(0, LONGEST), flag, flag, flag)
                .as(Message::new)
                .list()
                .ofMaxSize(MOST);
    }

    private static MemorySegment slot(HostRegion region, int index, int length) {
        return region.memory().asSlice((long) index * LONGEST, length);
    }

    private static CommandTask receive(Message message, int index) {
        var sandbox = SANDBOX.get(message.to);
        var task = sandbox.task();
        if (message.receivedMapped) {
            sandbox.fillReceive(
                    task,
                    index,
                    SandboxPlugin.WHOLE_TAG,
                    slot(room, index, message.length),
                    ROOM_HANDLE.get(message.to));
        } else {
            sandbox.fillReceive(task, index, SandboxPlugin.WHOLE_TAG, message.length);
        }
        task.submit();
        return task;
    }

    private static CommandTask send(Message message, int index) {
        var sandbox = SANDBOX.get(message.from);
        var task = sandbox.task();
        if (message.sentMapped) {
            sandbox.fillSend(task, message.to, index, slot(sent, index, message.length), SENT_HANDLE.get(message.from));
        } else {
            sandbox.fillSend(task, message.to, index, slot(sent, index, message.length));
        }
        task.submit();
        return task;
    }

    @Property(tries = 60)
    void each_message_arrives_whole_at_the_worker_that_waits_for_its_tag(
            @ForAll("messages") List<Message> messages, @ForAll long seed) {
        var random = new Random(seed);
        var bytes = new byte[(int) sent.length()];
        random.nextBytes(bytes);
        sent.memory().copyFrom(MemorySegment.ofArray(bytes));
        room.memory().fill((byte) 0);
        var receives = new CommandTask[messages.size()];
        var sends = new ArrayList<CommandTask>();
        for (var i = 0; i < messages.size(); i++) {
            if (messages.get(i).receivedFirst) {
                receives[i] = receive(messages.get(i), i);
            }
        }
        for (var i = 0; i < messages.size(); i++) {
            sends.add(send(messages.get(i), i));
        }
        for (var i = 0; i < messages.size(); i++) {
            if (!messages.get(i).receivedFirst) {
                receives[i] = receive(messages.get(i), i);
            }
        }

        for (var i = 0; i < messages.size(); i++) {
            await(receives[i]);
            var message = messages.get(i);
            var received = (Received) SandboxPlugin.answer(receives[i]);
            assertEquals(message.length, received.count());
            assertEquals(i, received.senderTag());
            var arrived = message.receivedMapped ? slot(room, i, message.length) : received.payload();
            assertEquals(-1, arrived.mismatch(slot(sent, i, message.length)), "message " + i);
            receives[i].close();
        }
        for (var send : sends) {
            await(send);
            SandboxPlugin.answer(send);
            send.close();
        }
    }
}
