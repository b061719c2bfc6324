// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import org.jspecify.annotations.Nullable;

/**
 * A message that cannot be packed or unpacked: too short, too long, a value that its C type does
 * not hold, a tag that names no member. It is the only exception that codecs throw because of what
 * a record or a message holds; its text names the struct and the field, the offset in the message
 * and the sizes.
 *
 * <p>A closed arena ({@link IllegalStateException}), the wrong thread
 * ({@link WrongThreadException}) and a null component ({@link NullPointerException}) are mistakes
 * of the caller, not of the message, and stay what they are.
 */
public final class CodecException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The struct, or {@code struct.field}. */
    private final String field;
    /** From the start of the message, in bytes. */
    private final long offset;
    /** Whether a longer payload would hold the message. */
    private final boolean lacksRoom;

    /**
     * Says what is wrong with a message.
     *
     * @param field the struct, or the field as {@code struct.field}, as it is named in C
     * @param offset where it begins, in bytes from the start of the message
     * @param problem what is wrong with it, with the sizes or values that matter
     */
    public CodecException(String field, long offset, String problem) {
        this(field, offset, problem, null, false);
    }

    private CodecException(String field, long offset, String problem, @Nullable Throwable cause, boolean lacksRoom) {
        super(field + " at offset " + offset + ": " + problem, cause);
        this.field = field;
        this.offset = offset;
        this.lacksRoom = lacksRoom;
    }

    CodecException(String field, long offset, String problem, @Nullable Throwable cause) {
        this(field, offset, problem, cause, false);
    }

    /**
     * Makes an exception for a message that is longer than the payload.
     *
     * @param field the struct, or the field as {@code struct.field}, that does not fit
     * @param offset where it begins, in bytes from the start of the message
     * @param problem the sizes
     * @return an exception that {@linkplain #lacksRoom lacks room}
     */
    public static CodecException tooLong(String field, long offset, String problem) {
        return new CodecException(field, offset, problem, null, true);
    }

    /**
     * The struct, or the field as {@code struct.field}, that was being packed or unpacked.
     *
     * @return the name, as it is in C
     */
    public String field() {
        return field;
    }

    /**
     * Returns whether the message was longer than the payload: it fits into a longer one.
     *
     * @return false if the message is wrong in another way
     */
    public boolean lacksRoom() {
        return lacksRoom;
    }

    /**
     * Where that struct or field begins.
     *
     * @return the offset in bytes from the start of the message
     */
    public long offset() {
        return offset;
    }
}
