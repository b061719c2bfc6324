// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.SubmitFlag;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.WorkerPlan;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The way of one worker context through a run: it is started, given its commands, stopped, and
 * closed; when it is lost on the way, another is started for what is left. Nothing waits.
 */
final class Course implements HostPart {

    private static final int MAX_ATTEMPTS = 3;
    private static final Set<SubmitFlag> NOW = EnumSet.of(SubmitFlag.FLUSH);
    private static final Set<SubmitFlag> LATER = EnumSet.noneOf(SubmitFlag.class);

    private enum Stage {
        NEW,
        STARTING,
        RUNNING,
        ENDING,
        DONE
    }

    /** A task, and the command that it is submitted with. */
    private static final class Slot {

        private CommandTask task;
        private Payload payload;
        private boolean inFlight;
    }

    private final WorkerPlan plan;
    private final long seed;
    private final int index;
    private final UromService service;
    private final Notes notes;
    private final List<Slot> slots = new ArrayList<>();
    private Stage stage = Stage.NEW;
    private UromWorker worker; // null when there is none
    private int attempts;
    private int given;
    private long news;

    Course(HostPlan host, int index, UromService service, Notes notes) {
        this.plan = host.workers().get(index);
        this.seed = host.seed();
        this.index = index;
        this.service = service;
        this.notes = notes;
    }

    @Override
    public boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public long news() {
        return news;
    }

    private void enter(Stage next) {
        stage = next;
        news++;
    }

    @Override
    public void step() {
        switch (stage) {
            case NEW -> begin();
            case STARTING -> stepStarting();
            case RUNNING -> stepRunning();
            case ENDING -> {
                if (worker.state() == ContextState.IDLE) {
                    leave();
                }
            }
            case DONE -> {}
        }
    }

    private void begin() {
        attempts++;
        enter(Stage.STARTING);
        try {
            worker = UromWorker.create(service.engine(), service);
            worker.setPlugins(GraphPlugin.find(service)).setId(plan.id()).setMaxTasks(plan.depth());
            worker.start();
        } catch (DocaException | IllegalStateException e) {
            notes.refused("start", e);
            leave();
        }
    }

    private void stepStarting() {
        if (worker.state() == ContextState.RUNNING) {
            enter(Stage.RUNNING);
        } else if (worker.state() == ContextState.IDLE) {
            notes.refused(
                    "start",
                    new DocaException(
                            DocaError.INITIALIZATION, "doca_ctx_start", worker.toString(), "It fell back to idle."));
            leave();
        }
    }

    private void stepRunning() {
        if (worker.state() != ContextState.RUNNING) {
            notes.refused("worker", new DocaException(DocaError.SHUTDOWN, "worker", worker.toString(), "It was lost."));
            enter(Stage.ENDING);
            return;
        }
        try {
            give();
        } catch (DocaException e) {
            given++;
            notes.refused("submit", e);
        }
        if (given == plan.commands() && slots.stream().noneMatch(slot -> slot.inFlight)) {
            stop();
        }
    }

    /** Submits as many commands as may be in flight. */
    private void give() {
        while (slots.size() < plan.depth()) {
            var slot = new Slot();
            slot.task = worker.commandTask(GraphPlugin.find(service)).onCompletion(task -> complete(slot));
            slots.add(slot);
        }
        for (var slot : slots) {
            if (!slot.inFlight && given < plan.commands()) {
                submit(slot);
            }
        }
    }

    private void submit(Slot slot) {
        slot.payload = Payload.of(seed, index, given, plan.bytes());
        slot.task.setPayloadLength(Payload.write(slot.payload, slot.task.payload()));
        var last = given + 1 == plan.commands();
        slot.task.submit(last || (given + 1) % plan.batch() == 0 ? NOW : LATER);
        slot.inFlight = true;
        given++;
        notes.submitted();
    }

    private void complete(Slot slot) {
        news++;
        if (!slot.inFlight) {
            notes.duplicated();
            return;
        }
        slot.inFlight = false;
        if (slot.task.status().isSuccess()) {
            notes.answered(slot.payload.isAnsweredBy(slot.task.response()));
        } else {
            notes.failed(slot.task.status());
        }
    }

    private void stop() {
        worker.stop();
        enter(Stage.ENDING);
    }

    @Override
    public void giveUp() {
        given = plan.commands();
        if (stage == Stage.NEW) {
            stage = Stage.DONE;
        } else if (stage == Stage.STARTING || stage == Stage.RUNNING) {
            stop();
        }
    }

    @Override
    public void abandon() {
        slots.stream().filter(slot -> slot.inFlight).forEach(slot -> {
            slot.inFlight = false;
            notes.failed("ABANDONED");
        });
        close();
    }

    /** What it had is gone; it begins anew if there is something left to do. */
    private void leave() {
        close();
        enter(given < plan.commands() && attempts < MAX_ATTEMPTS ? Stage.NEW : Stage.DONE);
    }

    @Override
    public void close() {
        slots.forEach(slot -> slot.task.close());
        slots.clear();
        if (worker != null) {
            worker.close();
            worker = null;
        }
    }
}
