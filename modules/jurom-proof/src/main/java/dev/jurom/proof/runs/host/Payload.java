// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.lang.foreign.MemorySegment;

/** Commands of the graph plugin that no two hosts, workers and turns have in common. */
record Payload(long key, int bytes) {

    /** Sends a payload there and back; the answer says whether it was its own. */
    static final Offload<Payload, Answer> ECHO =
            Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, Payload::write, Answer::of);

    private static final int SHORTER = 16;

    /** What came back: the key and all bytes behind it. */
    record Answer(long key, byte[] bytes) {

        static Answer of(MemorySegment response) {
            var key = GraphCodec.loopbackData(response);
            return new Answer(key, response.asSlice(HEAD).toArray(JAVA_BYTE));
        }
    }

    private static final long HEAD = 16; // a tag and the key

    /** The command of this place. Half of them are short, whatever there is room for. */
    static Payload of(long seed, int worker, int command, int longest) {
        var key = mixed(mixed(seed + worker) + command);
        var drawn = mixed(key);
        var most = (drawn & 1) == 1 ? longest : longest / SHORTER;
        return new Payload(key, (int) Long.remainderUnsigned(drawn >>> 1, most + 1));
    }

    /** The finaliser of SplitMix64. */
    private static long mixed(long value) {
        value = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        value = (value ^ (value >>> 27)) * 0x94D049BB133111EBL;
        return value ^ (value >>> 31);
    }

    /** The byte at a place of what the key stands for. */
    byte byteAt(int place) {
        return (byte) ((key >>> (place % 8 * 8)) + place);
    }

    /** Writes the command and says how long it is. */
    static long write(Payload payload, MemorySegment to) {
        var length = GraphCodec.packLoopback(payload.key, to);
        for (var i = 0; i < payload.bytes; i++) {
            to.set(JAVA_BYTE, length + i, payload.byteAt(i));
        }
        return length + payload.bytes;
    }

    /** Whether this is its answer. */
    boolean isAnsweredBy(Answer answer) {
        if (answer.key != key || answer.bytes.length != bytes) {
            return false;
        }
        for (var i = 0; i < bytes; i++) {
            if (answer.bytes[i] != byteAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this is its answer. */
    boolean isAnsweredBy(MemorySegment response) {
        return response.byteSize() >= HEAD && isAnsweredBy(Answer.of(response));
    }
}
