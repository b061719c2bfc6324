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
 * The lifecycle of a member of a domain in a run: it starts a worker, then the domain together with the other
 * members; requests the workers of their group; sends messages to the next member and receives those of the
 * previous one; waits until all members have done so; and leaves. It does not retry. No method blocks.
 */
final class DomainActivity implements HostActivity {

    private enum Stage {
        NEW,
        STARTING,
        JOINING,
        MESSAGING,
        LEAVING,
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
    private final ResultRecorder results;
    private final FileExchange exchange;
    private final List<Transfer> transfers = new ArrayList<>();
    private Stage stage = Stage.NEW;
    private UromWorker worker; // null if there is none, like the next three fields
    private UromDomain domain;
    private WorkersByGroupTask group;
    private AllGather leaving;
    private boolean groupInFlight;
    private boolean failed; // a command failed, so other members may wait forever
    private long changes;

    DomainActivity(HostPlan host, UromService service, ResultRecorder results) {
        this.plan = host.domain().orElseThrow();
        this.groupId = host.run();
        this.service = service;
        this.results = results;
        exchange = new FileExchange(
                Path.of(System.getenv(DomainPlan.FOLDER_VARIABLE)), host.run(), plan.index(), plan.members());
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
        try {
            switch (stage) {
                case NEW -> begin();
                case STARTING -> stepStarting();
                case JOINING -> stepJoining();
                case MESSAGING -> stepMessaging();
                case LEAVING -> {
                    if (leaving.poll()) {
                        end();
                    }
                }
                case ENDING -> stepEnding();
                case DONE -> {}
            }
        } catch (DocaException | ExchangeException | IllegalStateException e) {
            results.refused(stage.name().toLowerCase(Locale.ROOT), e);
            if (stage == Stage.ENDING) {
                results.notIdle();
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
            throw lost(worker, "the context became idle");
        } else if (worker.state() == ContextState.RUNNING) {
            enter(Stage.JOINING);
            domain = UromDomain.create(service.engine(), exchange, Map.of(1L + plan.index(), worker));
            domain.start();
        }
    }

    private static DocaException lost(Object object, String reason) {
        return new DocaException(DocaError.INITIALIZATION, "a member", object.toString(), reason);
    }

    private void stepJoining() {
        if (domain.state() == ContextState.IDLE) {
            throw lost(domain, "the context became idle");
        } else if (domain.state() == ContextState.RUNNING) {
            enter(Stage.MESSAGING);
            requestGroup();
            sendMessages();
        }
    }

    private void requestGroup() {
        group = service.workersByGroupTask(groupId).onCompletion(this::complete);
        group.submit();
        groupInFlight = true;
        results.submitted();
    }

    /** Submits all messages at once. */
    private void sendMessages() {
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
        results.submitted();
    }

    /** Checks that the group consists of the workers of all members. */
    private void complete(WorkersByGroupTask task) {
        changes++;
        if (!groupInFlight) {
            results.duplicated();
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
            results.answered(ofMembers && LongStream.of(ids).distinct().count() == plan.members());
        }
    }

    private void complete(Transfer transfer) {
        changes++;
        if (!transfer.inFlight) {
            results.duplicated();
            return;
        }
        transfer.inFlight = false;
        try {
            results.answered(transfer.message.isAnsweredBy(SandboxPlugin.answer(transfer.task), transfer.sends));
        } catch (DocaException e) {
            fail(e.error());
        } catch (CodecException e) {
            results.answered(false);
        }
    }

    private void fail(DocaError error) {
        failed = true;
        results.failed(error);
    }

    private boolean isInFlight() {
        return groupInFlight || transfers.stream().anyMatch(transfer -> transfer.inFlight);
    }

    private void stepMessaging() {
        if (worker.state() != ContextState.RUNNING) {
            throw lost(worker, "the worker was lost");
        } else if (failed) {
            end();
        } else if (!isInFlight()) {
            enter(Stage.LEAVING);
            leaving = exchange.begin(new byte[1]);
        } else if (exchange.hasMemberLeft()) {
            throw lost(domain, "a member left");
        }
    }

    /** Leaves the domain and notifies the other members, so that they do not wait for this one. */
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

    /** Counts the remaining commands as failed, since they will not complete. */
    private void giveUpTasks() {
        if (groupInFlight) {
            groupInFlight = false;
            results.failed("ABANDONED");
        }
        transfers.stream().filter(transfer -> transfer.inFlight).forEach(transfer -> {
            transfer.inFlight = false;
            results.failed("ABANDONED");
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
