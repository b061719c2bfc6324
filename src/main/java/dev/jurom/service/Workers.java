// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.urom.WorkerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All workers: which exist, who refers to them, when they must leave. Belongs to the loop's
 * thread.
 */
final class Workers {

    private final EventLoop loop;
    private final ServiceLog log;
    private final Deadlines deadlines;
    private final WorkerLauncher launcher;
    private final int maxWorkers;
    /** Those that hosts can ask for. A worker that was told to leave is not among them. */
    private final Map<Long, Worker> byId = new HashMap<>();
    /** All whose process has not ended. */
    private final Set<Worker> running = new HashSet<>();
    private long nextId = 1;
    private Runnable gone;

    Workers(EventLoop loop, ServiceLog log, Deadlines deadlines, WorkerLauncher launcher,
            int maxWorkers) {
        this.loop = loop;
        this.log = log;
        this.deadlines = deadlines;
        this.launcher = launcher;
        this.maxWorkers = maxWorkers;
    }

    /** Grants a SPAWN: with SPAWNED, at once or when the worker is ready. */
    void spawn(Session session, Frame.Spawn spawn) throws RequestRefused {
        launcher.check(spawn);
        var worker = byId.get(spawn.workerId());
        var reference = new Worker.Reference(session, spawn.requestId());
        if (worker == null) {
            worker = create(session, spawn);
            worker.references().add(reference);
        } else {
            checkShared(worker, session, spawn);
            worker.references().add(reference);
            if (worker.isReady()) {
                session.send(worker.spawned(spawn.requestId(), false));
            }
        }
    }

    private void checkShared(Worker worker, Session session, Frame.Spawn spawn)
            throws RequestRefused {
        var name = "Worker " + Long.toUnsignedString(worker.id());
        if (!spawn.environment().isEmpty()) {
            throw new RequestRefused(DocaError.ALREADY_EXIST, name + " runs already, and its"
                    + " environment cannot be set any more: leave it out or use another worker id");
        }
        if ((spawn.plugins() & ~worker.plugins()) != 0) {
            throw new RequestRefused(DocaError.INVALID_VALUE,
                    "%s runs with the plugins 0x%x and not with 0x%x: use another worker id"
                            .formatted(name, worker.plugins(),
                                    spawn.plugins() & ~worker.plugins()));
        }
        if (worker.sharesMemory() && !launcher.isOwnUser(session.userId())) {
            throw new RequestRefused(DocaError.NOT_PERMITTED, name + " runs for hosts of the"
                    + " service's own user: another user must use another worker id");
        }
    }

    private Worker create(Session session, Frame.Spawn spawn) throws RequestRefused {
        if (running.size() >= maxWorkers) {
            throw new RequestRefused(DocaError.FULL, "The service runs " + maxWorkers
                    + " workers, its limit: stop some, or start it with a higher --max-workers");
        }
        var id = spawn.workerId() == WorkerId.ANY ? freshId() : spawn.workerId();
        var worker = launcher.create(id, spawn, session.userId());
        byId.put(id, worker);
        running.add(worker);
        var timer = loop.after(deadlines.start(), () -> startTakesTooLong(worker));
        worker.runsAs(launcher.launch(worker, spawn, new WorkerProcess.Listener() {
            @Override
            public void ready(Frame.Ready ready) {
                loop.execute(() -> {
                    timer.cancel();
                    becomesReady(worker, ready);
                });
            }

            @Override
            public void failed(DocaError error, String why) {
                loop.execute(() -> {
                    timer.cancel();
                    refuse(worker, error, why);
                });
            }

            @Override
            public void ended(int exitStatus) {
                loop.execute(() -> hasEnded(worker, exitStatus));
            }
        }));
        return worker;
    }

    private long freshId() {
        while (byId.containsKey(nextId)) {
            nextId++;
        }
        return nextId++;
    }

    private void startTakesTooLong(Worker worker) {
        refuse(worker, DocaError.TIME_OUT, "Worker " + Long.toUnsignedString(worker.id())
                + " was not ready after " + deadlines.start().toMillis()
                + " ms and has been killed");
        worker.process().kill();
    }

    private void becomesReady(Worker worker, Frame.Ready ready) {
        worker.becomesReady(ready);
        log.info("Worker %s runs as process %s".formatted(Long.toUnsignedString(worker.id()),
                Integer.toUnsignedString(ready.processId())));
        var newProcess = true;
        for (var reference : List.copyOf(worker.references())) {
            reference.session().send(worker.spawned(reference.requestId(), newProcess));
            newProcess = false;
        }
    }

    /** All who wait for a worker are told that it will not come. */
    private void refuse(Worker worker, DocaError error, String why) {
        if (!byId.remove(worker.id(), worker)) {
            return; // refused for another reason before, or nobody waits any more
        }
        log.error("Worker %s did not start: %s".formatted(Long.toUnsignedString(worker.id()), why));
        leave(worker);
        var waiting = List.copyOf(worker.references());
        worker.references().clear();
        waiting.forEach(reference ->
                reference.session().fail(reference.requestId(), error, why));
    }

    private void hasEnded(Worker worker, int exitStatus) {
        byId.remove(worker.id(), worker);
        running.remove(worker);
        log.info("Worker %s has ended with exit status %d"
                .formatted(Long.toUnsignedString(worker.id()), exitStatus));
        var references = List.copyOf(worker.references());
        worker.references().clear();
        references.forEach(reference -> reference.session()
                .send(new Frame.WorkerGone(reference.requestId(), worker.id(), exitStatus)));
        tellIfGone();
    }

    /** Takes a reference back: that of the SPAWN with the same request id, else the oldest. */
    void release(Session session, Frame.Release release) throws RequestRefused {
        var worker = byId.get(release.workerId());
        var references = worker == null ? List.<Worker.Reference>of() : worker.references();
        var exact = new Worker.Reference(session, release.requestId());
        var reference = references.contains(exact) ? exact : references.stream()
                .filter(found -> found.session() == session).findFirst()
                .orElseThrow(() -> new RequestRefused(DocaError.NOT_FOUND,
                        "This connection holds no reference on worker "
                        + Long.toUnsignedString(release.workerId())));
        references.remove(reference);
        leaveIfUnused(worker);
        session.send(new Frame.Released(release.requestId(), release.workerId()));
    }

    /** Takes all references of a session back. */
    void releaseAll(Session session) {
        for (var worker : List.copyOf(byId.values())) {
            worker.references().removeIf(reference -> reference.session() == session);
            leaveIfUnused(worker);
        }
    }

    private void leaveIfUnused(Worker worker) {
        if (worker.references().isEmpty()) {
            byId.remove(worker.id());
            leave(worker);
        }
    }

    private void leave(Worker worker) {
        log.debug(() -> "Worker " + Long.toUnsignedString(worker.id()) + " is told to leave");
        worker.process().leave();
        loop.after(deadlines.leave(), () -> {
            if (running.contains(worker)) {
                log.warning("Worker %s did not leave within %d ms and is killed".formatted(
                        Long.toUnsignedString(worker.id()), deadlines.leave().toMillis()));
                worker.process().kill();
            }
        });
    }

    /** The ids of the workers of a group that run, in ascending order. */
    List<Long> ofGroup(int group) {
        return byId.values().stream().filter(Worker::isReady)
                .filter(worker -> worker.group().isPresent() && worker.group().getAsInt() == group)
                .map(Worker::id).sorted(Long::compareUnsigned).toList();
    }

    /** Tells all to leave. */
    void leaveAll() {
        List.copyOf(byId.values()).forEach(worker -> {
            worker.references().clear();
            leave(worker);
        });
        byId.clear();
    }

    /** Tells all that still run to leave, without the loop: it has come to an end. */
    void abandon() {
        running.forEach(worker -> worker.process().leave());
    }

    /** Runs {@code action} when no process is left: now, or when the last has ended. */
    void whenGone(Runnable action) {
        gone = action;
        tellIfGone();
    }

    private void tellIfGone() {
        if (running.isEmpty() && gone != null) {
            gone.run();
        }
    }
}
