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
 * Eight platform and virtual threads execute random operations on two workers of the facade, one of which may
 * be killed or suspended. Nothing hangs, and every future completes once.
 */
class FacadeThreadsTest {

    private static final int STEPS = 4; // per thread

    private static final FacadeStage STAGE = new FacadeStage();

    @AfterContainer
    static void close() {
        STAGE.close();
        eventually("no worker is left", () -> workerProcesses().isEmpty());
    }

    /** Runs long properties only with {@code -Djurom.long=true}. */
    static final class OnlyWhenLong implements SkipExecutionHook {

        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return Boolean.getBoolean("jurom.long")
                    ? SkipResult.doNotSkip()
                    : SkipResult.skip("-Djurom.long=true is not set");
        }
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void nothing_hangs_and_every_future_completes_once(@ForAll("programs") List<List<ThreadStep>> programs)
            throws Exception {
        FacadeThreads.run(STAGE, programs);
    }

    @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(OnlyWhenLong.class)
    void nothing_hangs_in_many_sequences(@ForAll("programs") List<List<ThreadStep>> programs) throws Exception {
        FacadeThreads.run(STAGE, programs);
    }

    /** Generates the program of each thread. */
    @Provide
    Arbitrary<List<List<ThreadStep>>> programs() {
        var kinds = Arbitraries.frequency(
                Tuple.of(10, ThreadStep.Kind.CALL),
                Tuple.of(6, ThreadStep.Kind.CALL_FOR_A_MOMENT),
                Tuple.of(12, ThreadStep.Kind.SUBMIT),
                Tuple.of(6, ThreadStep.Kind.SUBMIT_FOR_A_MOMENT),
                Tuple.of(6, ThreadStep.Kind.TRY_SUBMIT),
                Tuple.of(8, ThreadStep.Kind.JOIN),
                Tuple.of(8, ThreadStep.Kind.GET),
                Tuple.of(4, ThreadStep.Kind.CANCEL),
                Tuple.of(6, ThreadStep.Kind.CHAIN),
                Tuple.of(8, ThreadStep.Kind.INTERRUPT),
                Tuple.of(2, ThreadStep.Kind.START),
                Tuple.of(2, ThreadStep.Kind.CLOSE_WORKER),
                Tuple.of(1, ThreadStep.Kind.KILL),
                Tuple.of(1, ThreadStep.Kind.HANG),
                Tuple.of(1, ThreadStep.Kind.CLOSE_OR_LOSE_SERVICE));
        return kinds.flatMap(kind -> Arbitraries.integers().between(0, 15).map(choice -> new ThreadStep(kind, choice)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(STEPS)
                .list()
                .ofSize(FacadeThreads.THREADS);
    }
}
