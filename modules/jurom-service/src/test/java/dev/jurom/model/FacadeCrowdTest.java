// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/**
 * Eight threads, platform and virtual ones, that do random things with two workers of the facade,
 * one of which may be killed or stop to answer: nothing hangs, and every future completes once.
 */
class FacadeCrowdTest {

    private static final int STEPS = 4; // of a thread

    private static final FacadeStage STAGE = new FacadeStage();

    @AfterContainer
    static void close() {
        STAGE.close();
        eventually("no worker is left", () -> workerProcesses().isEmpty());
    }

    /** Runs what takes long only with {@code -Djurom.long=true}. */
    static final class OnlyWhenLong implements SkipExecutionHook {

        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return Boolean.getBoolean("jurom.long")
                    ? SkipResult.doNotSkip()
                    : SkipResult.skip("-Djurom.long=true is not set");
        }
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void nothing_hangs_and_every_future_completes_once(@ForAll("programs") List<List<CrowdStep>> programs)
            throws Exception {
        FacadeCrowd.run(STAGE, programs);
    }

    @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(OnlyWhenLong.class)
    void nothing_hangs_in_many_sequences(@ForAll("programs") List<List<CrowdStep>> programs) throws Exception {
        FacadeCrowd.run(STAGE, programs);
    }

    /** What each of the threads does. */
    @Provide
    Arbitrary<List<List<CrowdStep>>> programs() {
        var kinds = Arbitraries.frequency(
                Tuple.of(10, CrowdStep.Kind.CALL),
                Tuple.of(6, CrowdStep.Kind.CALL_FOR_A_MOMENT),
                Tuple.of(12, CrowdStep.Kind.SUBMIT),
                Tuple.of(6, CrowdStep.Kind.SUBMIT_FOR_A_MOMENT),
                Tuple.of(6, CrowdStep.Kind.TRY_SUBMIT),
                Tuple.of(8, CrowdStep.Kind.JOIN),
                Tuple.of(8, CrowdStep.Kind.GET),
                Tuple.of(4, CrowdStep.Kind.CANCEL),
                Tuple.of(6, CrowdStep.Kind.CHAIN),
                Tuple.of(8, CrowdStep.Kind.INTERRUPT),
                Tuple.of(2, CrowdStep.Kind.START),
                Tuple.of(2, CrowdStep.Kind.CLOSE_WORKER),
                Tuple.of(1, CrowdStep.Kind.KILL),
                Tuple.of(1, CrowdStep.Kind.HANG),
                Tuple.of(1, CrowdStep.Kind.CLOSE_OR_LOSE_SERVICE));
        return kinds.flatMap(kind -> Arbitraries.integers().between(0, 15).map(choice -> new CrowdStep(kind, choice)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(STEPS)
                .list()
                .ofSize(FacadeCrowd.THREADS);
    }
}
