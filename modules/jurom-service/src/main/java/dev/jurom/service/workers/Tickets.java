// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Binding;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.Ticket;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Grants references: the worker receives a ticket before the host does, because it would reject a host with an
 * unknown ticket. A remote host receives it when the worker listens. Guarded by the lock of {@link Workers}.
 */
final class Tickets {

    /** Maximum time until a host presents its ticket. */
    private static final Duration LIFETIME = Duration.ofSeconds(20);

    /** A pending request to a worker to listen for a host. */
    private record Pending(Reference reference, Ticket ticket, Timers.Timer timer) {}

    /** Handles a reference that cannot be granted. */
    interface Refusal {
        void refuse(Reference reference, DocaError error, String why);
    }

    private final ReentrantLock lock;
    private final Timers timers;
    private final Duration deadline;
    private final Optional<RemoteAccess> remote;
    private final Refusal refusal;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Pending> pending = new HashMap<>(); // by request id
    private long lastRequest;

    Tickets(ReentrantLock lock, Timers timers, Duration deadline, Optional<RemoteAccess> remote, Refusal refusal) {
        this.lock = lock;
        this.timers = timers;
        this.deadline = deadline;
        this.remote = remote;
        this.refusal = refusal;
    }

    /** Grants a reference on a worker that is ready. */
    void grant(Reference reference) {
        var ticket = Ticket.random(random);
        reference
                .session()
                .localAddress()
                .ifPresentOrElse(
                        address -> requestListening(reference, ticket, address),
                        () -> reference
                                .worker()
                                .process()
                                .send(
                                        admit(++lastRequest, ticket, reference, Optional.empty()),
                                        () -> written(reference, ticket)));
    }

    private static Frame.Admit admit(long requestId, Ticket ticket, Reference reference, Optional<Binding> binding) {
        return new Frame.Admit(requestId, ticket, reference.session().id(), (int) LIFETIME.toMillis(), binding);
    }

    private void written(Reference reference, Ticket ticket) {
        lock.lock();
        try {
            sendGranted(
                    reference,
                    ticket,
                    false,
                    ListenAddress.UNIX + reference.worker().socket());
        } finally {
            lock.unlock();
        }
    }

    private void sendGranted(Reference reference, Ticket ticket, boolean offersUcx, String address) {
        if (!reference.isEnded()) {
            reference.grant();
            reference.session().send(reference.worker().spawned(reference.requestId(), ticket, offersUcx, address));
        }
    }

    private void requestListening(Reference reference, Ticket ticket, InetAddress address) {
        var requestId = ++lastRequest;
        var binding = new Binding(
                address.getHostAddress(),
                remote.map(RemoteAccess::firstPort).orElse(0),
                remote.map(RemoteAccess::lastPort).orElse(0),
                offersUcx());
        pending.put(requestId, new Pending(reference, ticket, timers.after(deadline, () -> expire(requestId))));
        reference.worker().process().send(admit(requestId, ticket, reference, Optional.of(binding)), () -> {});
    }

    private boolean offersUcx() {
        return remote.map(RemoteAccess::offersUcx).orElse(false);
    }

    private void expire(long requestId) {
        lock.lock();
        try {
            var late = pending.remove(requestId);
            if (late != null) {
                fail(late, DocaError.TIME_OUT, "it did not report a port within " + deadline.toMillis() + " ms");
            }
        } finally {
            lock.unlock();
        }
    }

    private void fail(Pending request, DocaError error, String why) {
        if (!request.reference.isEnded()) {
            refusal.refuse(
                    request.reference,
                    error,
                    request.reference.worker() + " does not listen for a host that connected over TCP: " + why);
        }
    }

    /**
     * Handles a worker's answer that it listens, or that it rejects a ticket. A host of this machine has
     * received the ticket by then, and the worker itself rejects it.
     *
     * @return false if there was no such request
     */
    boolean answered(SpawnedWorker worker, Frame answer) {
        var found = pending.get(answer.requestId());
        if (found == null) {
            return answer.requestId() > 0 && answer.requestId() <= lastRequest;
        }
        if (found.reference.worker() != worker) {
            return false;
        }
        pending.remove(answer.requestId());
        found.timer.cancel();
        switch (answer) {
            case Frame.Listening listening ->
                sendGranted(found.reference, found.ticket, offersUcx(), "tcp:" + listening.port());
            case Frame.Failure failure -> fail(found, failure.error(), failure.text());
            default -> throw new AssertionError("only these are answers");
        }
        return true;
    }

    /** Cancels the requests to a worker that has ended. */
    void ended(SpawnedWorker worker) {
        pending.values().removeIf(waiting -> {
            if (waiting.reference.worker() == worker) {
                waiting.timer.cancel();
                return true;
            }
            return false;
        });
    }
}
