// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.BoundedWait;
import dev.jurom.service.connections.ByteBudget;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.status.RunningWorker;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All workers and the references on them, until the workers end. This class is thread-safe: one lock guards all state,
 * and no method blocks while holding it.
 */
public final class Workers {

    private static final String ENDING = "the service is ending";

    private final ServiceLog log;
    private final DaemonCounters counters;
    private final Timers timers;
    private final Deadlines deadlines;
    private final WorkerLauncher launcher;
    private final Runnable changed;
    private final SpawnRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Tickets tickets;
    private final Map<Integer, TrustDomain> domains = new HashMap<>();
    /** The workers whose process has not ended. */
    private final Set<SpawnedWorker> running = new HashSet<>();

    private int sweeps; // of shared memory, queued or running
    private boolean closing;

    /**
     * Creates an empty set of workers.
     *
     * @param log receives the starts and ends of workers
     * @param counters counts the starts and ends of workers
     * @param timers runs deadlines, and the tasks that may block
     * @param deadlines the maximum times for the start and the exit of a worker
     * @param configuration the limits on workers, and the access of hosts on other machines
     * @param launcher checks requests and prepares processes
     * @param changed runs whenever {@link #status} may have changed
     */
    public Workers(
            ServiceLog log,
            DaemonCounters counters,
            Timers timers,
            Deadlines deadlines,
            DaemonConfiguration configuration,
            WorkerLauncher launcher,
            Runnable changed) {
        this.log = log;
        this.counters = counters;
        this.timers = timers;
        this.deadlines = deadlines;
        this.launcher = launcher;
        this.changed = changed;
        this.rules = new SpawnRules(configuration.limits());
        this.tickets = new Tickets(lock, timers, deadlines.ticket(), configuration.remote(), this::refuse);
    }

    /**
     * Accepts a SPAWN, and answers it with SPAWNED when the worker is ready and has the ticket of the host.
     *
     * @param session the session of the host, which receives the answer
     * @param spawn the request
     * @param held the bytes of the request; a new worker keeps them until it has its environment
     * @throws RequestRefused if the host may not have the worker, or the service ends
     */
    public void spawn(RequestingHost session, Frame.Spawn spawn, ByteBudget.Held held) throws RequestRefused {
        launcher.check(session.peer(), spawn);
        lock.lock();
        try {
            if (closing) {
                throw new RequestRefused(DocaError.SHUTDOWN, "The service is ending");
            }
            var domain = domains.computeIfAbsent(session.peer().userId(), TrustDomain::new);
            rules.requireReference(session, domain);
            var existing = domain.find(spawn.workerId()).filter(worker -> isUsable(domain, worker));
            if (existing.isPresent()) {
                SpawnRules.requireSame(existing.get(), session.peer(), spawn);
                refer(existing.get(), session, spawn);
            } else {
                var worker = create(domain, session, spawn, held);
                refer(worker, session, spawn);
                worker.process().start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a worker can be shared. Frees the id of a worker that was ready and has just died. */
    private static boolean isUsable(TrustDomain domain, SpawnedWorker worker) {
        var usable = !worker.isReady() || worker.process().isUsable();
        if (!usable) {
            domain.remove(worker);
        }
        return usable;
    }

    private void refer(SpawnedWorker worker, RequestingHost session, Frame.Spawn spawn) {
        var reference = new Reference(worker, session, spawn.requestId());
        worker.references().add(reference);
        changed.run();
        if (worker.isReady()) {
            tickets.grant(reference);
        }
    }

    private SpawnedWorker create(TrustDomain domain, RequestingHost session, Frame.Spawn spawn, ByteBudget.Held held)
            throws RequestRefused {
        rules.requireWorker(running.size(), domain);
        var worker = new SpawnedWorker(
                domain,
                domain.idFor(spawn.workerId()),
                launcher.plugins(session.peer(), spawn),
                spawn.group(),
                launcher.newSocket(),
                launcher.bounds(session.peer()));
        var launch = launcher.launch(worker, spawn, session.peer());
        var start = launcher.start(worker, spawn, session.peer());
        worker.setProcess(new WorkerProcess(
                start,
                launch,
                held.move(),
                timers,
                deadlines,
                new WorkerLife(worker, this, timers, deadlines.start())));
        domain.add(worker);
        running.add(worker);
        counters.workerBegins();
        return worker;
    }

    /** Handles a worker that has loaded its plugins and listens. */
    void ready(SpawnedWorker worker) {
        lock.lock();
        try {
            logEvent(
                    worker,
                    LogLevel.INFO,
                    worker + " of " + worker.domain() + " runs as process "
                            + worker.process().id());
            counters.workerIsReady();
            worker.heartbeat().restart();
            worker.setReady();
            changed.run();
            worker.references().all().forEach(tickets::grant);
        } finally {
            lock.unlock();
        }
    }

    /** Handles a worker's answer; returns false if there was no such request. */
    boolean answered(SpawnedWorker worker, Frame answer) {
        lock.lock();
        try {
            return tickets.answered(worker, answer);
        } finally {
            lock.unlock();
        }
    }

    /** Refuses one reference, whose host cannot reach the worker; other references are not affected. */
    private void refuse(Reference reference, DocaError error, String why) {
        reference.worker().references().remove(reference);
        reference.session().fail(reference.requestId(), error, why);
        leaveIfUnused(reference.worker(), "its host cannot connect to it");
    }

    /** Notifies all hosts that wait for a worker that it will not become ready. */
    void refuse(SpawnedWorker worker, DocaError error, String why) {
        lock.lock();
        try {
            if (worker.domain().remove(worker)) { // otherwise refused before, or all references were released
                logEvent(worker, LogLevel.ERROR, worker + " did not start: " + why);
                counters.workerDidNotStart();
                worker.references()
                        .removeAll()
                        .forEach(reference -> reference.session().fail(reference.requestId(), error, why));
                leave(worker, "it did not start");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds the counters of a worker that has ended. */
    void counted(CounterFile file) {
        counters.workerCounted(file);
    }

    /** Handles the end of a worker's process, or a failure to start it. */
    void ended(SpawnedWorker worker, WorkerEnd end) {
        launcher.unlink(worker);
        sweepMemory(worker.domain().userId());
        lock.lock();
        try {
            logEvent(worker, LogLevel.INFO, worker + " " + end.why());
            counters.workerEnds(end);
            running.remove(worker);
            changed.run();
            tickets.ended(worker);
            var reported = closing ? end.because("exited, because " + ENDING) : end;
            worker.references().removeAll().forEach(reference -> reference.notifyEnd(reported));
            worker.domain().ended(worker);
            if (worker.domain().running() == 0) {
                domains.remove(worker.domain().userId(), worker.domain());
            }
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void logEvent(SpawnedWorker worker, LogLevel level, String text) {
        log.caused(PeerCause.WORKER, worker.domain().toString(), level, text);
    }

    /** Removes the shared memory that a killed worker of a user has left behind. Does not block. */
    private void sweepMemory(int userId) {
        countSweep(1);
        timers.run(() -> {
            try {
                launcher.sharedMemory().sweep(userId);
            } catch (IOException e) {
                var user = TrustDomain.nameOf(userId);
                log.caused(
                        PeerCause.WORKER,
                        user,
                        LogLevel.WARNING,
                        "Shared memory of ended workers of " + user + " could not be removed: " + e.getMessage());
            } catch (InterruptedException e) {
                throw new AssertionError("threads of the service are not interrupted", e);
            } finally {
                countSweep(-1);
            }
        });
    }

    private void countSweep(int change) {
        lock.lock();
        try {
            sweeps += change;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Releases a reference: that of the SPAWN with the same request id. Answers with RELEASED. A worker without
     * references is requested to exit.
     *
     * @param session the session that holds the reference
     * @param release the request
     * @throws RequestRefused if the session holds no such reference
     */
    public void release(RequestingHost session, Frame.Release release) throws RequestRefused {
        lock.lock();
        try {
            var reference = find(session, release)
                    .orElseThrow(() -> new RequestRefused(
                            DocaError.NOT_FOUND,
                            "This connection holds no reference on worker "
                                    + Long.toUnsignedString(release.workerId())));
            reference.worker().references().remove(reference);
            leaveIfUnused(reference.worker(), "its last host has released it");
            session.send(new Frame.Released(release.requestId(), release.workerId()));
        } finally {
            lock.unlock();
        }
    }

    private Optional<Reference> find(RequestingHost session, Frame.Release release) {
        var domain = domains.get(session.peer().userId());
        if (domain == null) {
            return Optional.empty();
        }
        return running.stream()
                .filter(worker -> worker.domain() == domain && worker.id() == release.workerId())
                .flatMap(worker -> worker.references().find(session, release.requestId()).stream())
                .findFirst();
    }

    /**
     * Releases all references of a session, and ends its connections to workers. Does not block.
     *
     * @param session the session, which has ended
     * @param why why it has ended, for the log: a clause such as "the host has disconnected"
     */
    public void releaseAll(RequestingHost session, String why) {
        lock.lock();
        try {
            for (var worker : List.copyOf(running)) {
                if (worker.references().removeAll(session)) {
                    worker.process().send(new Frame.HostGone(0, session.id()), () -> {});
                    leaveIfUnused(worker, "the session of its last host has ended: " + why);
                }
            }
        } finally {
            lock.unlock();
        }
        if (launcher.sharedMemory().retries(session.peer().userId())) {
            sweepMemory(session.peer().userId());
        }
    }

    private void leaveIfUnused(SpawnedWorker worker, String why) {
        changed.run();
        if (worker.references().isEmpty() && worker.domain().remove(worker)) {
            leave(worker, why);
        }
    }

    private void leave(SpawnedWorker worker, String why) {
        log.debug(() -> worker + " receives DRAIN");
        worker.process().leave(why);
        timers.after(deadlines.leave(), () -> {
            if (worker.process().isAlive()) {
                logEvent(
                        worker,
                        LogLevel.WARNING,
                        worker + " did not exit within " + deadlines.leave().toMillis() + " ms and is killed");
                worker.process().kill("did not exit on request");
            }
        });
    }

    /**
     * Lists the ready workers of a group.
     *
     * @param userId the numeric id of the user of the workers
     * @param group the number of the group
     * @return the ids, in ascending order
     */
    public List<Long> ofGroup(int userId, int group) {
        lock.lock();
        try {
            var domain = domains.get(userId);
            return domain == null ? List.of() : domain.ofGroup(group);
        } finally {
            lock.unlock();
        }
    }

    /** {@return the running workers for the service's status, in the order of their requests} */
    public List<RunningWorker> status() {
        lock.lock();
        try {
            return running.stream()
                    .map(SpawnedWorker::status)
                    .sorted(Comparator.comparing(RunningWorker::started))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** {@return the ready workers, which must answer a PING} */
    public List<SpawnedWorker> answering() {
        lock.lock();
        try {
            return running.stream().filter(SpawnedWorker::isReady).toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Requests all workers to exit, notifies their hosts, and waits until the workers have ended and their shared memory
     * has been removed. Accepts no new ones.
     * Not interruptible: the interrupt status is preserved.
     *
     * @param timeout maximum time to wait
     */
    public void end(Duration timeout) {
        lock.lock();
        try {
            closing = true;
            running.stream().filter(worker -> worker.domain().remove(worker)).forEach(worker -> leave(worker, ENDING));
            BoundedWait.within(timeout, time -> {
                for (var left = time; (!running.isEmpty() || sweeps > 0) && left > 0; ) {
                    left = ended.awaitNanos(left);
                }
                return running.isEmpty();
            });
        } finally {
            lock.unlock();
        }
    }
}
