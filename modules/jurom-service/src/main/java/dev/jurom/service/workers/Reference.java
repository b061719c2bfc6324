// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.wire.Frame;

/**
 * One accepted SPAWN until its release. It is granted when the host receives the address of the worker. Guarded
 * by the lock of {@link Workers}.
 */
final class Reference {

    private final SpawnedWorker worker;
    private final RequestingHost session;
    private final long requestId;
    private boolean granted;
    private boolean ended;

    Reference(SpawnedWorker worker, RequestingHost session, long requestId) {
        this.worker = worker;
        this.session = session;
        this.requestId = requestId;
    }

    SpawnedWorker worker() {
        return worker;
    }

    RequestingHost session() {
        return session;
    }

    /** Returns the request id of the SPAWN. */
    long requestId() {
        return requestId;
    }

    /** Notifies the host of the end of the worker and its reason. */
    void notifyEnd(WorkerEnd end) {
        var text = worker + " " + end.why();
        if (granted) {
            session.send(new Frame.WorkerGone(requestId, worker.id(), end.exitStatus(), end.unresponsive(), text));
        } else {
            session.fail(requestId, DocaError.CONNECTION_RESET, text);
        }
    }

    void begin() {
        session.countReferences(1);
        worker.domain().countReferences(1);
    }

    void grant() {
        granted = true;
    }

    /** Returns whether it was released, or its worker has ended. */
    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
        session.countReferences(-1);
        worker.domain().countReferences(-1);
    }
}
