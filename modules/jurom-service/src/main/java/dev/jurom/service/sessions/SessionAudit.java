// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.service.identity.Account;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The lines of one session in the audit log: one at its start and one at its end. Lines about remote hosts are always
 * written; those of one local user are limited. This class is thread-safe.
 */
final class SessionAudit {

    private static final int MAX_WORKERS = 64; // that a line names

    private final ServiceLog log;
    private final Peer peer;
    private final String source;
    private final String host;
    private final long started = System.nanoTime();
    private final Set<Long> workers = new LinkedHashSet<>(); // this and the next: guarded by this
    private int others; // answers with workers beyond those in the set

    /**
     * Creates the lines of a session that has just begun, without writing one.
     *
     * @param log the log
     * @param id the number of the session
     * @param peer the host
     * @param source the origin of the connection
     */
    SessionAudit(ServiceLog log, long id, Peer peer, String source) {
        this.log = log;
        this.peer = peer;
        this.source = source;
        this.host = "user=" + peer.account().map(Account::name).orElse("-") + " uid="
                + Integer.toUnsignedString(peer.userId())
                + peer.remote()
                        .map(remote -> " certificate=" + remote.fingerprint() + " address=" + remote.addressText())
                        .orElse(" address=local")
                + " session=" + id;
    }

    /** Writes the line at the start. */
    void begin() {
        write(PeerCause.SESSION_BEGIN, "begin " + host);
    }

    /** Records that the session has received the address of a worker. */
    synchronized void uses(long workerId) {
        if (workers.size() < MAX_WORKERS) {
            workers.add(workerId);
        } else if (!workers.contains(workerId)) {
            others++;
        }
    }

    /** Writes the line at the end. */
    void end(String reason) {
        write(
                PeerCause.SESSION_END,
                "end " + host + " seconds="
                        + Duration.ofNanos(System.nanoTime() - started).toMillis() / 1e3 + " workers=" + workersText()
                        + " reason=\"" + reason.replace('"', '\'') + "\"");
    }

    private synchronized String workersText() {
        if (workers.isEmpty()) {
            return "none";
        }
        return workers.stream().map(WorkerId::toString).collect(Collectors.joining(","))
                + (others == 0 ? "" : ",and-" + others + "-more");
    }

    private void write(PeerCause cause, String line) {
        if (peer.isLocal()) {
            log.audit(cause, source, line);
        } else {
            log.audit(line);
        }
    }
}
