// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was seen of a run: filled while it goes on, judged afterwards. Of one thread. */
final class Observation {

    final Map<Integer, HostResult> results = new HashMap<>(); // by the hosts' numbers
    final Map<Integer, Integer> ended = new HashMap<>(); // wait statuses, by the hosts' numbers
    final Map<Integer, Long> processes = new HashMap<>(); // of C hosts, by their numbers
    final List<Applied> applied = new ArrayList<>();
    final List<FaultEvent> events = new ArrayList<>();
    final Set<String> gone = new HashSet<>(); // processes of the crew that have ended
    final Set<Long> workers = new HashSet<>(); // that the service had when it was hit
    final List<String> broken = new ArrayList<>(); // what hosts say that must always hold
    final List<String> history = new ArrayList<>();
    final List<String> leftOver = new ArrayList<>();
    final List<String> log = new ArrayList<>(); // what processes wrote meanwhile
    final List<String> afterwards = new ArrayList<>(); // what did not hold when all was over
    final List<Words> tickets = new ArrayList<>(); // hosts that have shown theirs twice
    final List<Words> cuts = new ArrayList<>(); // and those that have cut their connections off
    long kept; // the process of the worker that was kept over the run; 0: none
    final List<FaultEvent> staged = new ArrayList<>(); // faults when all was over
    boolean struck; // a worker was killed when all was over
    Duration took = Duration.ZERO;
    boolean overdue;

    private final long begin = System.nanoTime();

    /** Notes what happened, with its time. */
    void note(String what) {
        history.add("%10.3f ms  %s".formatted((System.nanoTime() - begin) / 1e6, what));
    }
}
