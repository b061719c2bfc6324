// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A host that uses the explicit API with its own engine in one thread. */
final class ExplicitHost {

    private static final Duration LONGEST_SLEEP = Duration.ofMillis(10);
    private static final Duration STOP_TIME = Duration.ofSeconds(30);

    private final HostPlan plan;
    private final ResultRecorder results;

    ExplicitHost(HostPlan plan, ResultRecorder results) {
        this.plan = plan;
        this.results = results;
    }

    /** Executes the plan and records failures. */
    void run() {
        ProgressEngine engine;
        try {
            engine = ProgressEngine.create();
        } catch (DocaException e) {
            results.refused("engine", e);
            return;
        }
        try (engine) {
            runOn(engine);
        } catch (DocaException | IllegalStateException e) {
            results.refused("close", e);
            results.notIdle();
        }
    }

    private void runOn(ProgressEngine engine) {
        Device device;
        UromService service;
        try {
            device = Device.open();
        } catch (DocaException e) {
            results.refused("device", e);
            return;
        }
        try (device) {
            try {
                service = UromService.create(engine, device);
            } catch (DocaException e) {
                results.refused("service", e);
                return;
            }
            try (service) {
                runService(service);
            }
        }
    }

    private void runService(UromService service) {
        try {
            service.start();
        } catch (DocaException e) {
            results.refused("service", e);
            return;
        }
        runActivities(service.engine(), service);
    }

    private void runActivities(ProgressEngine engine, UromService service) {
        var activities = new ArrayList<HostActivity>();
        IntStream.range(0, plan.workers().size())
                .forEach(index -> activities.add(new WorkerActivity(plan, index, service, results)));
        plan.domain().ifPresent(domain -> activities.add(new DomainActivity(plan, service, results)));
        if (!runUntilDone(engine, activities, plan.patience())) {
            results.late();
            activities.forEach(HostActivity::giveUp);
            if (!runUntilDone(engine, activities, STOP_TIME)) {
                results.notIdle();
            }
        }
        activities.forEach(HostActivity::close);
    }

    /** Executes steps until all activities are done; returns false if there is no change for the given time. */
    private boolean runUntilDone(ProgressEngine engine, List<HostActivity> activities, Duration patience) {
        while (true) {
            var changed = awaitChange(engine, activities, patience);
            if (activities.stream().allMatch(HostActivity::isDone)) {
                return true;
            }
            if (plan.ending() == Ending.ABRUPT && results.answers() >= plan.commands() / 2) {
                results.abrupt();
                activities.forEach(HostActivity::abandon);
                return true;
            }
            if (!changed) {
                return false;
            }
        }
    }

    /** Executes steps and sleeps while idle; returns false if there is no change for the given time. */
    private static boolean awaitChange(ProgressEngine engine, List<HostActivity> activities, Duration patience) {
        var before = changes(activities);
        var end = System.nanoTime() + patience.toNanos();
        activities.forEach(HostActivity::step);
        while (changes(activities) == before && System.nanoTime() < end) {
            if (!engine.progress()) {
                engine.waitForEvent(LONGEST_SLEEP);
            }
            activities.forEach(HostActivity::step);
        }
        return changes(activities) != before;
    }

    private static long changes(List<HostActivity> activities) {
        return activities.stream().mapToLong(HostActivity::changes).sum();
    }
}
