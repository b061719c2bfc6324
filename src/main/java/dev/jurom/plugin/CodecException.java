// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a message cannot be packed or unpacked: it is too short or too long, a value is out of
 * the range of its C type, or no member has its tag. It is the only exception that codecs throw because
 * of the contents of a record or a message. Its message names the struct and the field, the offset in
 * the message and the sizes.
 *
 * <p>Errors of the caller cause other exceptions: a closed arena {@link IllegalStateException}, another
 * thread {@link WrongThreadException}, and a null component {@link NullPointerException}.
 */
public final class CodecException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The struct, or {@code struct.field}. */
    private final String field;
    /** Bytes from the start of the message. */
    private final long offset;
    /** True if the message would fit into a longer payload. */
    private final boolean lacksRoom;

    /**
     * Creates an exception for a malformed message.
     *
     * @param field the name in C of the struct, or of the field as {@code struct.field}
     * @param offset its offset, in bytes from the start of the message
     * @param problem the problem, with the relevant sizes or values
     */
    public CodecException(String field, long offset, String problem) {
        this(field, offset, problem, null, false);
    }

    private CodecException(String field, long offset, String problem, @Nullable Throwable cause, boolean lacksRoom) {
        super(Objects.requireNonNull(field) + " at offset " + offset + ": " + Objects.requireNonNull(problem), cause);
        this.field = field;
        this.offset = offset;
        this.lacksRoom = lacksRoom;
    }

    CodecException(String field, long offset, String problem, @Nullable Throwable cause) {
        this(field, offset, problem, cause, false);
    }

    /**
     * Creates an exception for a message that is longer than the payload.
     *
     * @param field the struct, or the field as {@code struct.field}, that does not fit
     * @param offset its offset, in bytes from the start of the message
     * @param problem the sizes
     * @return an exception that {@linkplain #lacksRoom lacks room}
     */
    public static CodecException tooLong(String field, long offset, String problem) {
        return new CodecException(field, offset, problem, null, true);
    }

    /**
     * Returns the struct, or the field as {@code struct.field}, that could not be packed or unpacked.
     *
     * @return the name in C
     */
    public String field() {
        return field;
    }

    /**
     * Returns whether the message did not fit into the payload.
     *
     * @return false if the message is malformed
     */
    public boolean lacksRoom() {
        return lacksRoom;
    }

    /**
     * Returns the offset of the struct or field.
     *
     * @return the offset in bytes from the start of the message
     */
    public long offset() {
        return offset;
    }
}
