// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.processes;

import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The descriptors that a worker receives. They must stay open until the worker has started or ended.
 *
 * @param input its standard input
 * @param output its standard output
 * @param log its standard error; if empty, {@code sharesLog} determines it
 * @param sharesLog whether its standard error is that of this process, instead of {@code /dev/null}
 * @param counters the empty memory of its counters
 */
public record WorkerDescriptors(int input, int output, OptionalInt log, boolean sharesLog, int counters) {

    int[] all() {
        return IntStream.concat(IntStream.concat(IntStream.of(input, output), log.stream()), IntStream.of(counters))
                .toArray();
    }
}
