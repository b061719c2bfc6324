// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A host that uses contexts of its own on an engine of its own, all in one thread. */
final class ExplicitHost {

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
        var courses = IntStream.range(0, plan.workers().size())
                .mapToObj(index -> new Course(plan, index, service, notes)).toList();
        if (!goOn(engine, courses, plan.patience())) {
            notes.late();
            courses.forEach(Course::giveUp);
            if (!goOn(engine, courses, LEAVING)) {
                notes.notIdle();
            }
        }
        courses.forEach(Course::close);
    }

    /** Takes all steps until every course is done, or there are no news for so long. */
    private boolean goOn(ProgressEngine engine, List<Course> courses, Duration patience) {
        while (true) {
            var before = news(courses);
            engine.progressUntil(() -> {
                courses.forEach(Course::step);
                return news(courses) != before;
            }, patience);
            if (courses.stream().allMatch(Course::isDone)) {
                return true;
            }
            if (plan.ending() == Ending.ABRUPT && notes.answers() >= plan.commands() / 2) {
                notes.abrupt();
                courses.forEach(Course::abandon);
                return true;
            }
            if (news(courses) == before) {
                return false;
            }
        }
    }

    private static long news(List<Course> courses) {
        return courses.stream().mapToLong(Course::news).sum();
    }
}
