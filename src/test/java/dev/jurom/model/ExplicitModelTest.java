// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.urom.UromWorker;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.state.ActionChain;

/**
 * Compares random sequences of operations on several workers with a model, including timeouts, abandoned
 * tasks, and suspended or killed workers.
 */
class ExplicitModelTest {

    private static final int MAX_STEPS = 24; // of a sequence

    private static ServiceFixture fixture;
    private static UromWorker shared; // kept connected, so that contexts are cheap
    private static ExplicitHost host;

    @BeforeContainer
    static void open() {
        fixture = ServiceFixture.open();
        shared = fixture.worker().setEnvironment(WorkerProcess.environment(0));
        shared.startAndWait(ServiceFixture.DEADLINE);
    }

    @AfterContainer
    static void close() {
        shared.close();
        fixture.close();
    }

    @AfterTry
    void endSequence() {
        if (host != null) {
            host.close();
            host = null;
        }
    }

    @Property(tries = 120)
    @AddLifecycleHook(Watched.class)
    void workers_and_tasks_match_the_model(@ForAll("sequences") ActionChain<ExplicitHost> sequence) {
        sequence.withInvariant("state", ExplicitHost::check).run();
    }

    @Provide
    Arbitrary<ActionChain<ExplicitHost>> sequences() {
        return ActionChain.startWith(ExplicitModelTest::begin)
                .withAction(2, Step.when("open", ExplicitHost::hasRoom, ExplicitHost::open))
                .withAction(4, Step.when("start", ExplicitHost::hasWorkers, ExplicitHost::start))
                .withAction(4, Step.when("make a task", ExplicitHost::hasWorkers, ExplicitHost::makeTask))
                .withAction(8, Step.when("submit", ExplicitHost::hasTasks, (state, choice) -> state.submit(choice, 0)))
                .withAction(
                        3,
                        Step.when(
                                "submit and resubmit",
                                ExplicitHost::hasTasks,
                                (state, choice) -> state.submit(choice, choice)))
                .withAction(3, Step.when("call", ExplicitHost::hasWorkers, ExplicitHost::call))
                .withAction(3, Step.when("complete one", ExplicitHost::hasAnswers, ExplicitHost::completeOne))
                .withAction(3, Step.when("complete all", ExplicitHost::hasAnswers, ExplicitHost::completeAll))
                .withAction(1, Step.when("flush", ExplicitHost::hasWorkers, ExplicitHost::flush))
                .withAction(2, Step.when("close the task", ExplicitHost::hasTasks, ExplicitHost::closeTask))
                .withAction(1, Step.when("stop", ExplicitHost::hasWorkers, ExplicitHost::stop))
                .withAction(1, Step.when("close", ExplicitHost::hasWorkers, ExplicitHost::close))
                .withAction(1, Step.when("hang", ExplicitHost::hasWorkers, ExplicitHost::hang))
                .withAction(1, Step.when("resume", ExplicitHost::hasHung, ExplicitHost::resume))
                .withAction(1, Step.when("kill", ExplicitHost::hasWorkers, ExplicitHost::kill))
                .withMaxTransformations(MAX_STEPS);
    }

    private static ExplicitHost begin() {
        host = new ExplicitHost(fixture, shared.id());
        return host;
    }
}
