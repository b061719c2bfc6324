// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.proof.runs.plan.DomainPlan;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkersByGroupTask;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.ExchangeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The way of a member of a domain through a run: it starts a worker, then the domain together with
 * the others; asks for the workers of their group; sends messages to the next member and receives
 * those of the one before; waits until all have done so; and leaves. It tries once.
 */
final class DomainCourse implements HostPart {

    private enum Stage {
        NEW,
        STARTING,
        JOINING,
        TALKING,
        PARTING,
        ENDING,
        DONE
    }

    /** A message that is being sent or received. */
    private static final class Transfer {

        private final DomainMessage message;
        private final boolean sends;
        private CommandTask task;
        private boolean inFlight;

        Transfer(DomainMessage message, boolean sends) {
            this.message = message;
            this.sends = sends;
        }
    }

    private final DomainPlan plan;
    private final int groupId;
    private final UromService service;
    private final Notes notes;
    private final FileExchange exchange;
    private final List<Transfer> transfers = new ArrayList<>();
    private Stage stage = Stage.NEW;
    private UromWorker worker; // null when there is none, as with the next three
    private UromDomain domain;
    private WorkersByGroupTask group;
    private AllGather parting;
    private boolean groupInFlight;
    private boolean failed; // a command has: what others wait for may never come
    private long news;

    DomainCourse(HostPlan host, UromService service, Notes notes) {
        this.plan = host.domain().orElseThrow();
        this.groupId = host.run();
        this.service = service;
        this.notes = notes;
        exchange = new FileExchange(
                Path.of(System.getenv(DomainPlan.FOLDER_VARIABLE)), host.run(), plan.index(), plan.members());
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
        try {
            switch (stage) {
                case NEW -> begin();
                case STARTING -> stepStarting();
                case JOINING -> stepJoining();
                case TALKING -> stepTalking();
                case PARTING -> {
                    if (parting.poll()) {
                        end();
                    }
                }
                case ENDING -> stepEnding();
                case DONE -> {}
            }
        } catch (DocaException | ExchangeException | IllegalStateException e) {
            notes.refused(stage.name().toLowerCase(Locale.ROOT), e);
            if (stage == Stage.ENDING) {
                notes.notIdle();
                enter(Stage.DONE);
            } else {
                end();
            }
        }
    }

    private void begin() {
        enter(Stage.STARTING);
        worker = UromWorker.create(service.engine(), service);
        worker.setPlugins(SandboxPlugin.find(service)).setId(plan.worker()).setGroup(groupId);
        worker.start();
    }

    private void stepStarting() {
        if (worker.state() == ContextState.IDLE) {
            throw lost(worker, "It fell back to idle.");
        } else if (worker.state() == ContextState.RUNNING) {
            enter(Stage.JOINING);
            domain = UromDomain.create(service.engine(), exchange, Map.of(1L + plan.index(), worker));
            domain.start();
        }
    }

    private static DocaException lost(Object whom, String what) {
        return new DocaException(DocaError.INITIALIZATION, "a member", whom.toString(), what);
    }

    private void stepJoining() {
        if (domain.state() == ContextState.IDLE) {
            throw lost(domain, "It fell back to idle.");
        } else if (domain.state() == ContextState.RUNNING) {
            enter(Stage.TALKING);
            askForGroup();
            talk();
        }
    }

    private void askForGroup() {
        group = service.workersByGroupTask(groupId).onCompletion(this::complete);
        group.submit();
        groupInFlight = true;
        notes.submitted();
    }

    /** Has all messages under way at once. */
    private void talk() {
        var before = (plan.index() + plan.members() - 1) % plan.members();
        for (var i = 0; i < plan.messages(); i++) {
            submit(new Transfer(DomainMessage.of(plan, before, i), false));
            submit(new Transfer(DomainMessage.of(plan, plan.index(), i), true));
        }
    }

    private void submit(Transfer transfer) {
        transfers.add(transfer);
        transfer.task = worker.commandTask(SandboxPlugin.find(service)).onCompletion(task -> complete(transfer));
        var command = transfer.task.payload();
        transfer.task.setPayloadLength(
                transfer.sends ? transfer.message.writeSend(command) : transfer.message.writeReceive(command));
        transfer.task.submit();
        transfer.inFlight = true;
        notes.submitted();
    }

    /** While all members have their workers, the group is these and no others. */
    private void complete(WorkersByGroupTask task) {
        news++;
        if (!groupInFlight) {
            notes.duplicated();
            return;
        }
        groupInFlight = false;
        if (!task.status().isSuccess()) {
            fail(task.status());
            return;
        }
        var ids = task.workerIds();
        var ofMembers =
                Arrays.stream(ids).allMatch(id -> id >= plan.firstWorker() && id < plan.firstWorker() + plan.members());
        if (ofMembers && ids.length < plan.members()) {
            fail(DocaError.NOT_FOUND);
        } else {
            notes.answered(ofMembers && LongStream.of(ids).distinct().count() == plan.members());
        }
    }

    private void complete(Transfer transfer) {
        news++;
        if (!transfer.inFlight) {
            notes.duplicated();
            return;
        }
        transfer.inFlight = false;
        try {
            notes.answered(transfer.message.isAnsweredBy(SandboxPlugin.answer(transfer.task), transfer.sends));
        } catch (DocaException e) {
            fail(e.error());
        } catch (CodecException e) {
            notes.answered(false);
        }
    }

    private void fail(DocaError error) {
        failed = true;
        notes.failed(error);
    }

    private boolean isInFlight() {
        return groupInFlight || transfers.stream().anyMatch(transfer -> transfer.inFlight);
    }

    private void stepTalking() {
        if (worker.state() != ContextState.RUNNING) {
            throw lost(worker, "It was lost.");
        } else if (failed) {
            end();
        } else if (!isInFlight()) {
            enter(Stage.PARTING);
            parting = exchange.begin(new byte[1]);
        } else if (exchange.hasLost()) {
            throw lost(domain, "A member is gone.");
        }
    }

    /** The others are told, so that they do not wait for this one. */
    private void end() {
        enter(Stage.ENDING);
        exchange.close();
        if (domain != null) {
            domain.close();
        }
        if (worker != null && (worker.state() == ContextState.STARTING || worker.state() == ContextState.RUNNING)) {
            worker.stop();
        }
    }

    private void stepEnding() {
        if (worker == null || worker.state() == ContextState.IDLE) {
            giveUpTasks();
            close();
            enter(Stage.DONE);
        }
    }

    @Override
    public void giveUp() {
        if (stage.compareTo(Stage.ENDING) < 0) {
            end();
        }
    }

    @Override
    public void abandon() {
        giveUp();
        giveUpTasks();
        close();
    }

    /** Of what is in flight still, nothing will be heard. */
    private void giveUpTasks() {
        if (groupInFlight) {
            groupInFlight = false;
            notes.failed("ABANDONED");
        }
        transfers.stream().filter(transfer -> transfer.inFlight).forEach(transfer -> {
            transfer.inFlight = false;
            notes.failed("ABANDONED");
        });
    }

    @Override
    public void close() {
        if (group != null) {
            group.close();
        }
        transfers.stream().filter(transfer -> transfer.task != null).forEach(transfer -> transfer.task.close());
        if (domain != null) {
            domain.close();
        }
        if (worker != null) {
            worker.close();
        }
    }
}
