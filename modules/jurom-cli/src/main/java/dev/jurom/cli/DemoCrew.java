// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.core.DocaException;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The threads of the demo. The main thread advances them together from phase to phase. */
final class DemoCrew implements AutoCloseable {

    private final List<DemoWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final DemoWorker.Phases phases;

    DemoCrew(UromService service, PluginInfo plugin, int size, int commands) {
        phases = DemoWorker.Phases.of(size);
        var cpus = service.cpuSet().cpus().toArray();
        for (var i = 0; i < size; i++) {
            workers.add(new DemoWorker(service, plugin, i, commands, CpuSet.of(cpus[i % cpus.length]), phases));
        }
    }

    void startWorkers() {
        for (var i = 0; i < workers.size(); i++) {
            threads.add(Thread.ofPlatform()
                    .inheritInheritableThreadLocals(false)
                    .name("demo-" + i)
                    .start(workers.get(i)));
        }
    }

    boolean areWorkersRunning() {
        return phases.running().getCount() == 0;
    }

    void startCommands() {
        phases.begin().countDown();
    }

    boolean areCommandsDone() {
        return phases.done().getCount() == 0;
    }

    void startTeardown() {
        phases.leave().countDown();
    }

    boolean isTornDown() {
        return phases.left().getCount() == 0;
    }

    List<DemoWorker.Result> results() {
        return workers.stream().map(DemoWorker::result).toList();
    }

    /** Throws the failure of the first thread that failed; does nothing if none did. */
    void rethrow() {
        workers.stream()
                .map(DemoWorker::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(failure -> {
                    throw failure instanceof DocaException refused
                            ? refused.inCurrentThread()
                            : new IllegalStateException(
                                    "A thread of the demo failed: " + failure.getMessage(), failure);
                });
    }

    /** Releases all threads and waits until they end. */
    @Override
    public void close() throws InterruptedException {
        phases.begin().countDown();
        phases.leave().countDown();
        for (var thread : threads) {
            thread.join();
        }
    }
}
