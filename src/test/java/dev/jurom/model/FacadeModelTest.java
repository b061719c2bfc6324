// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.state.ActionChain;

/** Compares random sequences of operations on several workers of the facade with a model. */
class FacadeModelTest {

    private static final int MAX_STEPS = 20; // of a sequence

    private static Urom urom;
    private static Worker shared; // kept connected, so that further workers are cheap
    private static FacadeHost host;

    @BeforeContainer
    static void open() throws InterruptedException {
        urom = Urom.open();
        shared = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
    }

    @AfterContainer
    static void close() {
        eventually("one worker is left", () -> workerProcesses().size() == 1);
        urom.close();
        eventually("no worker is left", () -> workerProcesses().isEmpty());
    }

    @AfterTry
    void endSequence() {
        if (host != null) {
            host.close();
            host = null;
        }
    }

    @Property(tries = 200)
    @AddLifecycleHook(Watched.class)
    void commands_match_the_model(@ForAll("sequences") ActionChain<FacadeHost> sequence) {
        sequence.withInvariant("state", FacadeHost::check).run();
    }

    @Provide
    Arbitrary<ActionChain<FacadeHost>> sequences() {
        return ActionChain.startWith(FacadeModelTest::begin)
                .withAction(2, Step.when("start", FacadeHost::hasRoom, FacadeHost::start))
                .withAction(1, Step.when("start and leave", FacadeHost::hasWorkers, FacadeHost::startAndLeave))
                .withAction(4, Step.when("call", FacadeHost::hasWorkers, FacadeHost::call))
                .withAction(8, Step.when("submit", FacadeHost::hasWorkers, FacadeHost::submit))
                .withAction(3, Step.when("try to submit", FacadeHost::hasWorkers, FacadeHost::trySubmit))
                .withAction(3, Step.when("submit twice", FacadeHost::hasWorkers, FacadeHost::submitTwice))
                .withAction(4, Step.when("await", FacadeHost::hasAnswers, FacadeHost::await))
                .withAction(2, Step.when("cancel", FacadeHost::hasAnswers, FacadeHost::cancel))
                .withAction(2, Step.when("give up waiting", FacadeHost::hasAnswers, FacadeHost::giveUpWaiting))
                .withAction(1, Step.when("close", FacadeHost::hasWorkers, FacadeHost::close))
                .withAction(1, Step.when("forget closed workers", FacadeHost::hasWorkers, FacadeHost::forgetClosed))
                .withAction(1, Step.when("kill", FacadeHost::hasWorkers, FacadeHost::kill))
                .withMaxTransformations(MAX_STEPS);
    }

    private static FacadeHost begin() {
        host = new FacadeHost(urom, shared.id());
        return host;
    }
}
