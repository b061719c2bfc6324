// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.runs.host.HostError;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.KeyValueLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The observations of a run, which are checked after the run. Not thread-safe. */
final class Observation {

    final Map<Integer, HostResult> results = new HashMap<>(); // by host number
    final Map<Integer, Integer> ended = new HashMap<>(); // wait statuses by host number
    final Map<Integer, Long> processes = new HashMap<>(); // of C hosts, by host number
    final List<SentSignal> applied = new ArrayList<>();
    final List<FaultEvent> events = new ArrayList<>();
    final Set<String> exited = new HashSet<>(); // names of the shared processes that exited
    final Set<Long> workers = new HashSet<>(); // processes of the workers of a killed service
    final List<String> broken = new ArrayList<>(); // invariants that hosts reported as violated
    final List<String> history = new ArrayList<>();
    final List<String> leftOver = new ArrayList<>();
    final List<String> log = new ArrayList<>(); // new log lines
    final List<String> afterwards = new ArrayList<>(); // violations found after the run
    final List<KeyValueLine> tickets = new ArrayList<>(); // lines of hosts that presented a ticket twice
    final List<KeyValueLine> closedConnections = new ArrayList<>(); // lines of hosts that closed their connections
    long residentWorker; // process of the resident worker during the run, or 0
    final Map<Integer, List<HostError>> errors = new HashMap<>(); // by host number
    final Map<Long, Long> workerIds = new HashMap<>(); // by their processes
    long javaHosts; // process of the Java hosts
    Duration took = Duration.ZERO;
    boolean overdue;

    private final long begin = System.nanoTime();

    /** Adds an event with its time to the history. */
    void addEvent(String text) {
        history.add("%10.3f ms  %s".formatted((System.nanoTime() - begin) / 1e6, text));
    }
}
