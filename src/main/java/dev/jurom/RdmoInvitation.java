// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The data that a peer needs to write to the memory of a {@link RdmoTarget}: the address of its worker,
 * the ids of the target and its memory, and the address and length of the memory. The application sends
 * it to the peer as {@linkplain #toBytes() bytes}.
 *
 * <p>An invitation is not secret: the worker accepts requests of invited peers only. Instances are
 * immutable.
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
     * Decodes an invitation.
     *
     * @param bytes the result of {@link #toBytes}, in any process
     * @return the invitation
     * @throws IllegalArgumentException if the bytes are malformed
     */
    public static RdmoInvitation of(byte[] bytes) {
        if (bytes.length < HEAD_SIZE) {
            throw wrong("the length is " + bytes.length + " bytes instead of at least " + HEAD_SIZE);
        }
        var in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt() != MAGIC) {
            throw wrong("the first four bytes are not JDMI");
        }
        var version = in.getInt();
        if (version != VERSION) {
            throw wrong("the version is " + version + " instead of " + VERSION);
        }
        var client = in.getLong();
        var key = in.getLong();
        var address = in.getLong();
        var length = in.getLong();
        if (length < 1 || address < 0 || address > Long.MAX_VALUE - length) {
            throw wrong("memory of " + length + " bytes at 0x" + Long.toHexString(address) + " cannot exist");
        }
        var number = in.getLong();
        var size = in.getInt();
        if (size < 1 || size > LONGEST_ADDRESS || size != in.remaining()) {
            throw wrong("the length of the worker address is " + size + ", but " + in.remaining() + " bytes remain");
        }
        var worker = new byte[size];
        in.get(worker);
        return new RdmoInvitation(client, key, address, length, number, worker);
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("The bytes are not an RDMO invitation: " + why);
    }

    /**
     * Encodes this invitation, to be sent to the peer.
     *
     * @return the bytes, in little-endian order: {@code JDMI}, version 2 (32 bits); client, key, address,
     *         length and number (64 bits each); the length of the worker's address (32 bits), and
     *         the address
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
     * Returns the id of the target in requests.
     *
     * @return its client id
     */
    public long client() {
        return client;
    }

    /**
     * Returns the id of the memory in requests.
     *
     * @return the region's key
     */
    public long key() {
        return key;
    }

    /**
     * Returns the address of the memory in the target's process.
     *
     * @return the address
     */
    public long address() {
        return address;
    }

    /**
     * Returns the length of the memory.
     *
     * @return the length in bytes, at least 1
     */
    public long length() {
        return length;
    }

    /**
     * Returns the address to which the peer sends requests.
     *
     * @return a copy of the address of the UCP worker of the target's worker
     */
    public byte[] workerAddress() {
        return worker.clone();
    }

    /** Returns the number that identifies the peer at the target. It is random, so that peers cannot forge it. */
    long number() {
        return number;
    }

    @Override
    public String toString() {
        return "invitation to write to " + length + " bytes of the RDMO client " + Long.toUnsignedString(client);
    }
}
