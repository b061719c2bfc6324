// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a {@link RdmoTarget} gives a peer so that it may write to its memory: where its worker is, by
 * what to name it and its memory, and where that lies. It travels as {@linkplain #toBytes() bytes},
 * by whatever way two processes have.
 *
 * <p>Who has it and is the peer that it was made for writes to the memory: it is no secret by
 * itself, since the worker takes requests of invited peers alone. Never changes.
 */
public final class RdmoInvitation {

    private static final int MAGIC = 0x494d444a; // the bytes J, D, M, I
    private static final int VERSION = 2;
    private static final int HEAD_SIZE = 3 * Integer.BYTES + 5 * Long.BYTES;
    private static final int LONGEST_ADDRESS = 1 << 20;

    private final long client;
    private final long key;
    private final long address;
    private final long length;
    private final long number;
    private final byte[] worker;

    RdmoInvitation(long client, long key, long address, long length, long number, byte[] worker) {
        this.client = client;
        this.key = key;
        this.address = address;
        this.length = length;
        this.number = number;
        this.worker = worker;
    }

    /**
     * Reads an invitation.
     *
     * @param bytes what {@link #toBytes} gave, perhaps in another process
     * @return the invitation
     * @throws IllegalArgumentException if they are none: the message says what is wrong
     */
    public static RdmoInvitation of(byte[] bytes) {
        if (bytes.length < HEAD_SIZE) {
            throw wrong(bytes.length + " bytes are too few: at least " + HEAD_SIZE + " are due");
        }
        var in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt() != MAGIC) {
            throw wrong("the first four bytes are others");
        }
        var version = in.getInt();
        if (version != VERSION) {
            throw wrong("it has the version " + version + " and not " + VERSION);
        }
        var client = in.getLong();
        var key = in.getLong();
        var address = in.getLong();
        var length = in.getLong();
        if (length < 1 || address < 0 || address > Long.MAX_VALUE - length) {
            throw wrong("no memory has " + length + " bytes at 0x" + Long.toHexString(address));
        }
        var number = in.getLong();
        var size = in.getInt();
        if (size < 1 || size > LONGEST_ADDRESS || size != in.remaining()) {
            throw wrong("a worker address of " + size + " bytes is promised, and " + in.remaining() + " are there");
        }
        var worker = new byte[size];
        in.get(worker);
        return new RdmoInvitation(client, key, address, length, number, worker);
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("These bytes are no RDMO invitation: " + why);
    }

    /**
     * This invitation as bytes, to be sent to the peer.
     *
     * @return little-endian: the bytes {@code JDMI}, version 2 (32 bits); client, key, address,
     *         length and number (64 bits each); the length of the worker's address (32 bits), and
     *         that address
     */
    public byte[] toBytes() {
        return ByteBuffer.allocate(HEAD_SIZE + worker.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putLong(client)
                .putLong(key)
                .putLong(address)
                .putLong(length)
                .putLong(number)
                .putInt(worker.length)
                .put(worker)
                .array();
    }

    /**
     * By what requests name the target.
     *
     * @return its client id
     */
    public long client() {
        return client;
    }

    /**
     * By what requests name its memory.
     *
     * @return the region's key
     */
    public long key() {
        return key;
    }

    /**
     * Where the memory lies in the target's process.
     *
     * @return its address there
     */
    public long address() {
        return address;
    }

    /**
     * How long the memory is.
     *
     * @return bytes, at least 1
     */
    public long length() {
        return length;
    }

    /**
     * Where requests go.
     *
     * @return the address of the UCP worker of the target's worker; a copy
     */
    public byte[] workerAddress() {
        return worker.clone();
    }

    /** Returns the number by which the target finds the peer: random, so that no peer can forge it. */
    long number() {
        return number;
    }

    @Override
    public String toString() {
        return "invitation to write to " + length + " bytes of the RDMO client " + Long.toUnsignedString(client);
    }
}
