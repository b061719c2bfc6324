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

/** A host that uses contexts of its own on an engine of its own, all in one thread. */
final class ExplicitHost {

    private static final Duration LONGEST_SLEEP = Duration.ofMillis(10);
    private static final Duration LEAVING = Duration.ofSeconds(30);

    private final HostPlan plan;
    private final Notes notes;

    ExplicitHost(HostPlan plan, Notes notes) {
        this.plan = plan;
        this.notes = notes;
    }

    /** Does all that the plan says; what fails is noted. */
    void run() {
        ProgressEngine engine;
        try {
            engine = ProgressEngine.create();
        } catch (DocaException e) {
            notes.refused("engine", e);
            return;
        }
        try (engine) {
            runOn(engine);
        } catch (DocaException | IllegalStateException e) {
            notes.refused("close", e);
            notes.notIdle();
        }
    }

    private void runOn(ProgressEngine engine) {
        Device device;
        UromService service;
        try {
            device = Device.open();
        } catch (DocaException e) {
            notes.refused("device", e);
            return;
        }
        try (device) {
            try {
                service = UromService.create(engine, device);
            } catch (DocaException e) {
                notes.refused("service", e);
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
            notes.refused("service", e);
            return;
        }
        runCourses(service.engine(), service);
    }

    private void runCourses(ProgressEngine engine, UromService service) {
        var parts = new ArrayList<HostPart>();
        IntStream.range(0, plan.workers().size()).forEach(index -> parts.add(new Course(plan, index, service, notes)));
        plan.domain().ifPresent(domain -> parts.add(new DomainCourse(plan, service, notes)));
        if (!goOn(engine, parts, plan.patience())) {
            notes.late();
            parts.forEach(HostPart::giveUp);
            if (!goOn(engine, parts, LEAVING)) {
                notes.notIdle();
            }
        }
        parts.forEach(HostPart::close);
    }

    /** Takes all steps until every part is done, or there are no news for so long. */
    private boolean goOn(ProgressEngine engine, List<HostPart> parts, Duration patience) {
        while (true) {
            var hasNews = awaitNews(engine, parts, patience);
            if (parts.stream().allMatch(HostPart::isDone)) {
                return true;
            }
            if (plan.ending() == Ending.ABRUPT && notes.answers() >= plan.commands() / 2) {
                notes.abrupt();
                parts.forEach(HostPart::abandon);
                return true;
            }
            if (!hasNews) {
                return false;
            }
        }
    }

    /** Takes steps, and sleeps when there is nothing to do; false: there are no news for so long. */
    private static boolean awaitNews(ProgressEngine engine, List<HostPart> parts, Duration patience) {
        var before = news(parts);
        var end = System.nanoTime() + patience.toNanos();
        parts.forEach(HostPart::step);
        while (news(parts) == before && System.nanoTime() < end) {
            if (!engine.progress()) {
                engine.waitForEvent(LONGEST_SLEEP);
            }
            parts.forEach(HostPart::step);
        }
        return news(parts) != before;
    }

    private static long news(List<HostPart> parts) {
        return parts.stream().mapToLong(HostPart::news).sum();
    }
}
