// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The membership of a host in a domain. The host starts a worker in the group of the run, sends messages to
 * the worker of the next member, and receives messages from the worker of the previous member. All fields
 * except the index are equal for all members.
 *
 * @param index the index of this member
 * @param members the number of members
 * @param seed the seed of the messages
 * @param firstWorker the worker id of the first member; the other members have the ids after it
 * @param messages the number of messages from each member to the next
 * @param bytes the maximum length of a message
 */
public record DomainPlan(int index, int members, long seed, long firstWorker, int messages, int bytes) {

    private static final int ONE_RUN_OF = 5;
    private static final int MAX_MEMBERS = 3;
    private static final int MAX_MESSAGES = 8;
    private static final int MAX_BYTES = 2000;
    private static final long SEED_OF_DOMAINS = 0x5DEECE66DL; // independent of other random numbers

    /** Returns the worker id of this member. */
    public long worker() {
        return firstWorker + index;
    }

    /** Returns the number of commands: a send and a receive for each message, and one request for the group. */
    public int commands() {
        return 2 * messages + 1;
    }

    /** Returns the text in the line of a host. */
    String text() {
        return "%d:%d:%s:%d:%d:%d".formatted(index, members, Long.toUnsignedString(seed), firstWorker, messages, bytes);
    }

    static DomainPlan parse(String text) {
        var numbers = text.split(":");
        return new DomainPlan(
                Integer.parseInt(numbers[0]),
                Integer.parseInt(numbers[1]),
                Long.parseUnsignedLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Integer.parseInt(numbers[4]),
                Integer.parseInt(numbers[5]));
    }

    /** Makes the first hosts of a run members of a domain, in one of five runs. */
    static List<HostPlan> among(List<HostPlan> hosts, long seed, int run, long firstWorker) {
        var random = new SplittableRandom(SEED_OF_DOMAINS ^ seed * 0x9E3779B97F4A7C15L + run);
        if (random.nextInt(ONE_RUN_OF) > 0) {
            return hosts;
        }
        var members = hosts.subList(0, random.nextInt(2, Math.min(hosts.size(), MAX_MEMBERS) + 1));
        var first = new DomainPlan(
                0,
                members.size(),
                random.nextLong(),
                firstWorker,
                random.nextInt(1, MAX_MESSAGES + 1),
                random.nextInt(3) == 0 ? MAX_BYTES : random.nextInt(100));
        return hosts.stream()
                .map(host -> members.contains(host) ? host.in(first.of(members.indexOf(host))) : host)
                .toList();
    }

    private DomainPlan of(int other) {
        return new DomainPlan(other, members, seed, firstWorker, messages, bytes);
    }
}
