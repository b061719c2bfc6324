// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.runs.plan.WorkerPlan;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A command of a plugin that returns it unchanged. Payloads are unique per host, worker and command number. */
record Payload(long key, int bytes) {

    private static final Offload<Payload, Answer> ECHO_OF_C =
            Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, Payload::write, Answer::of);
    private static final Offload<Payload, Answer> ECHO_OF_JAVA =
            Offload.of(WorkerPlan.JAVA_PLUGIN, EchoPlugin.VERSION, Payload::write, Answer::of);

    private static final int SHORT_DIVISOR = 16;

    /** An answer, which consists of a key and the bytes after it. */
    record Answer(long key, byte[] bytes) {

        static Answer of(MemorySegment response) {
            var key = GraphCodec.loopbackData(response);
            return new Answer(key, response.asSlice(HEAD).toArray(JAVA_BYTE));
        }
    }

    private static final long HEAD = 16; // size of the tag and the key

    /** Returns the offload that echoes a payload in a worker. */
    static Offload<Payload, Answer> echo(WorkerPlan worker) {
        return worker.plugin().equals(WorkerPlan.JAVA_PLUGIN) ? ECHO_OF_JAVA : ECHO_OF_C;
    }

    /** Returns the payload of a command. Half of the payloads are short. */
    static Payload of(long seed, int worker, int command, int longest) {
        var key = mixed(mixed(seed + worker) + command);
        var drawn = mixed(key);
        var most = (drawn & 1) == 1 ? longest : longest / SHORT_DIVISOR;
        return new Payload(key, (int) Long.remainderUnsigned(drawn >>> 1, most + 1));
    }

    /** Applies the finalizer of SplitMix64. */
    private static long mixed(long value) {
        value = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        value = (value ^ (value >>> 27)) * 0x94D049BB133111EBL;
        return value ^ (value >>> 31);
    }

    /** Returns the bytes after the key, derived from it. */
    byte[] data() {
        var data = new byte[bytes];
        for (var i = 0; i < bytes; i++) {
            data[i] = (byte) ((key >>> (i % 8 * 8)) + i);
        }
        return data;
    }

    /** Writes the command and returns its length. */
    static long write(Payload payload, MemorySegment to) {
        var length = GraphCodec.packLoopback(payload.key, to);
        MemorySegment.copy(payload.data(), 0, to, JAVA_BYTE, length, payload.bytes);
        return length + payload.bytes;
    }

    /** Returns whether this is the answer to this payload. */
    boolean isAnsweredBy(Answer answer) {
        return answer.key == key && Arrays.equals(answer.bytes, data());
    }
}
