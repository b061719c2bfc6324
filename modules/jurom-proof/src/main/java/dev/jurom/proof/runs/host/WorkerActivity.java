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
 * The lifecycle of one worker context in a run: it starts, submits its commands, stops and closes. If the
 * worker is lost, another one is started for the remaining commands. No method blocks.
 */
final class WorkerActivity implements HostActivity {

    private static final int MAX_ATTEMPTS = 3;
    private static final Set<SubmitFlag> FLUSH = EnumSet.of(SubmitFlag.FLUSH);
    private static final Set<SubmitFlag> NO_FLUSH = EnumSet.noneOf(SubmitFlag.class);

    private enum Stage {
        NEW,
        STARTING,
        RUNNING,
        ENDING,
        DONE
    }

    /** A task and its current command. */
    private static final class Slot {

        private CommandTask task;
        private Payload payload;
        private boolean inFlight;
    }

    private final WorkerPlan plan;
    private final long seed;
    private final int index;
    private final UromService service;
    private final ResultRecorder results;
    private final List<Slot> slots = new ArrayList<>();
    private Stage stage = Stage.NEW;
    private UromWorker worker; // null if there is none
    private int attempts;
    private int submitted;
    private long changes;

    WorkerActivity(HostPlan host, int index, UromService service, ResultRecorder results) {
        this.plan = host.workers().get(index);
        this.seed = host.seed();
        this.index = index;
        this.service = service;
        this.results = results;
    }

    @Override
    public boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public long changes() {
        return changes;
    }

    private void enter(Stage next) {
        stage = next;
        changes++;
    }

    @Override
    public void step() {
        switch (stage) {
            case NEW -> begin();
            case STARTING -> stepStarting();
            case RUNNING -> stepRunning();
            case ENDING -> {
                if (worker.state() == ContextState.IDLE) {
                    release();
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
            results.refused("start", e);
            release();
        }
    }

    private void stepStarting() {
        if (worker.state() == ContextState.RUNNING) {
            enter(Stage.RUNNING);
        } else if (worker.state() == ContextState.IDLE) {
            results.refused(
                    "start",
                    new DocaException(
                            DocaError.INITIALIZATION, "doca_ctx_start", worker.toString(), "the context became idle"));
            release();
        }
    }

    private void stepRunning() {
        if (worker.state() != ContextState.RUNNING) {
            results.refused(
                    "worker",
                    new DocaException(DocaError.SHUTDOWN, "worker", worker.toString(), "the worker was lost"));
            enter(Stage.ENDING);
            return;
        }
        try {
            submitCommands();
        } catch (DocaException e) {
            submitted++;
            results.refused("submit", e);
        }
        if (submitted == plan.commands() && slots.stream().noneMatch(slot -> slot.inFlight)) {
            stop();
        }
    }

    /** Submits as many commands as may be in flight. */
    private void submitCommands() {
        while (slots.size() < plan.depth()) {
            var slot = new Slot();
            slot.task = worker.commandTask(GraphPlugin.find(service)).onCompletion(task -> complete(slot));
            slots.add(slot);
        }
        for (var slot : slots) {
            if (!slot.inFlight && submitted < plan.commands()) {
                submit(slot);
            }
        }
    }

    private void submit(Slot slot) {
        slot.payload = Payload.of(seed, index, submitted, plan.bytes());
        slot.task.setPayloadLength(Payload.write(slot.payload, slot.task.payload()));
        var last = submitted + 1 == plan.commands();
        slot.task.submit(last || (submitted + 1) % plan.batch() == 0 ? FLUSH : NO_FLUSH);
        slot.inFlight = true;
        submitted++;
        results.submitted();
    }

    private void complete(Slot slot) {
        changes++;
        if (!slot.inFlight) {
            results.duplicated();
            return;
        }
        slot.inFlight = false;
        if (slot.task.status().isSuccess()) {
            results.answered(slot.payload.isAnsweredBy(slot.task.response()));
        } else {
            results.failed(slot.task.status());
        }
    }

    private void stop() {
        worker.stop();
        enter(Stage.ENDING);
    }

    @Override
    public void giveUp() {
        submitted = plan.commands();
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
            results.failed("ABANDONED");
        });
        close();
    }

    /** Releases the worker, and restarts if commands remain. */
    private void release() {
        close();
        enter(submitted < plan.commands() && attempts < MAX_ATTEMPTS ? Stage.NEW : Stage.DONE);
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
