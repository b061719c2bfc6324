// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Packs the records of a sealed interface into a tagged union: a C struct of an integer, the tag, and
 * a union whose member the tag selects. The fixed part has the size of the largest member; inline
 * parts follow it.
 *
 * @param <R> the sealed interface
 */
public final class UnionCodec<R> extends Codec<R> {

    private final CInteger tagType;
    private final String tagName;
    private final long unionOffset;
    private final List<Member<? extends R>> members;

    private UnionCodec(Builder<R> builder, long alignment, long unionOffset, long size) {
        super(builder.name, size, alignment);
        this.tagType = builder.tagType;
        this.tagName = builder.tagName;
        this.unionOffset = unionOffset;
        this.members = List.copyOf(builder.members);
    }

    /**
     * Begins the description of a tagged union.
     *
     * @param name the struct's name in C
     * @param tagType the C type of the tag, which is the struct's first field
     * @param tagName the tag's name
     * @param <R> the sealed interface of the records
     * @return a builder without members
     */
    public static <R> Builder<R> tagged(String name, CInteger tagType, String tagName) {
        return new Builder<>(name, tagType, tagName);
    }

    /**
     * Returns the offset of the members.
     *
     * @return the union's offset in bytes from the start of the struct
     */
    public long unionOffset() {
        return unionOffset;
    }

    /**
     * Begins a message without a record: zeroes the fixed part and writes the tag. The caller then
     * sets the member's fields, whose struct begins at the returned offset.
     *
     * @param tag the tag of a member
     * @param payload the segment for the message
     * @return the union's offset, {@link #unionOffset()}
     * @throws CodecException if the segment is too small for the fixed part
     * @throws IllegalArgumentException if no member has the tag
     */
    public long begin(long tag, MemorySegment payload) {
        if (find(tag) == null) {
            throw new IllegalArgumentException(unknown(tag));
        }
        clearFixed(payload, 0);
        tagType.write(payload, 0, tag);
        return unionOffset;
    }

    /**
     * Requires that a message has a tag and a complete fixed part. The member's fields can then be
     * read without a view, with {@link #unionOffset()} as the offset of their struct.
     *
     * @param tag the expected tag
     * @param message the message
     * @throws CodecException if the message is too short, or has another tag
     */
    public void requireTag(long tag, MemorySegment message) {
        requireRoom(message, 0, "the message");
        long actual = tagType.read(message, 0);
        if (actual != tag) {
            throw new CodecException(
                    name() + "." + tagName,
                    0,
                    "is " + Long.toUnsignedString(actual) + " where " + Long.toUnsignedString(tag) + " was expected");
        }
    }

    /**
     * Unpacks a message as a member, regardless of its tag. For messages whose type is known
     * otherwise.
     *
     * @param tag the tag of the member
     * @param message a segment that contains exactly the message
     * @return the record; its inline parts are slices of the message
     * @throws CodecException if the bytes are not a message with this member
     * @throws IllegalArgumentException if no member has the tag
     */
    public R unpackAs(long tag, MemorySegment message) {
        var member = find(tag);
        if (member == null) {
            throw new IllegalArgumentException(unknown(tag));
        }
        requireRoom(message, 0, "the message");
        requireEnd(member.codec.checkInline(message, unionOffset, size()), message);
        var view = new MessageView();
        view.point(message, unionOffset, size());
        return member.codec.read(view);
    }

    /**
     * Moves an open view from the struct to the member that its tag selects, whose fields can then be
     * read without a record.
     *
     * @param view a view that {@link #open} has opened on a message of this codec
     * @return the tag
     * @throws CodecException if no member has the tag
     */
    public long enter(MessageView view) {
        var member = memberOf(view.message(), view.at);
        view.at += unionOffset;
        return member.tag;
    }

    @Override
    void packFixed(R value, MemorySegment payload, long at) {
        packMember(memberOf(value), value, payload, at);
    }

    private <M extends R> void packMember(Member<M> member, R value, MemorySegment payload, long at) {
        tagType.write(payload, at, member.tag);
        member.codec.packFixed(member.type.cast(value), payload, at + unionOffset);
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        return packMemberInline(memberOf(value), value, payload, at, inline);
    }

    private <M extends R> long packMemberInline(
            Member<M> member, R value, MemorySegment payload, long at, long inline) {
        return member.codec.packInline(member.type.cast(value), payload, at + unionOffset, inline);
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        return memberOf(message, at).codec.checkInline(message, at + unionOffset, inline);
    }

    @Override
    R read(MessageView view) {
        var member = memberOf(view.message(), view.at);
        view.at += unionOffset;
        R value = member.codec.read(view);
        view.at -= unionOffset;
        return value;
    }

    @Override
    boolean hasInline() {
        return members.stream().anyMatch(member -> member.codec.hasInline());
    }

    @Override
    public boolean takesRest() {
        return members.stream().anyMatch(member -> member.codec.takesRest());
    }

    private Member<? extends R> memberOf(R value) {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).type.isInstance(value)) {
                return members.get(i);
            }
        }
        throw new IllegalArgumentException("The union " + name() + " was built without a member" + " for "
                + value.getClass().getName() + ": add it to its builder");
    }

    private Member<? extends R> memberOf(MemorySegment message, long at) {
        long tag = tagType.read(message, at);
        var member = find(tag);
        if (member == null) {
            throw new CodecException(name() + "." + tagName, at, unknown(tag));
        }
        return member;
    }

    private @Nullable Member<? extends R> find(long tag) {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).tag == tag) {
                return members.get(i);
            }
        }
        return null;
    }

    private String unknown(long tag) {
        return Long.toUnsignedString(tag) + " is none of "
                + members.stream().map(Member::toString).collect(Collectors.joining(", "));
    }

    /** A member of the union. */
    private record Member<M>(long tag, String name, Class<M> type, Codec<M> codec) {

        @Override
        public String toString() {
            return tag + " (" + name + ")";
        }
    }

    /**
     * Collects the members of a tagged union. Not thread-safe.
     *
     * @param <R> the sealed interface of the records
     */
    public static final class Builder<R> {

        private final String name;
        private final CInteger tagType;
        private final String tagName;
        private final List<Member<? extends R>> members = new ArrayList<>();

        private Builder(String name, CInteger tagType, String tagName) {
            this.name = name;
            this.tagType = tagType;
            this.tagName = tagName;
        }

        /**
         * Adds a member.
         *
         * @param tag the value of the tag that selects it
         * @param memberName its name in the C union
         * @param type the type of its records
         * @param codec the codec of its struct
         * @param <M> the type of its records
         * @return this builder
         * @throws IllegalArgumentException if the tag is out of the range of its type, or another
         *     member has the tag or the type
         */
        public <M extends R> Builder<R> member(long tag, String memberName, Class<M> type, Codec<M> codec) {
            var added = new Member<>(tag, memberName, type, codec);
            if (!tagType.holds(tag)) {
                throw new IllegalArgumentException(
                        "The tag of " + name + "." + added + " does not fit into " + tagType.range());
            }
            for (var member : members) {
                if (member.tag == tag || member.type == type) {
                    throw new IllegalArgumentException("The member " + added + " of " + name
                            + " has the tag or the record of the member " + member);
                }
            }
            members.add(added);
            return this;
        }

        /**
         * Creates the codec.
         *
         * @return a codec for the members
         * @throws IllegalStateException if there is no member
         */
        public UnionCodec<R> codec() {
            if (members.isEmpty()) {
                throw new IllegalStateException("The union " + name + " has no member: add one");
            }
            long alignment = 1;
            long largest = 0;
            for (var member : members) {
                alignment = Math.max(alignment, member.codec.alignment());
                largest = Math.max(largest, member.codec.size());
            }
            long unionOffset = StructBuilder.align(tagType.size(), alignment);
            alignment = Math.max(alignment, tagType.size());
            long size = StructBuilder.align(unionOffset + largest, alignment);
            return new UnionCodec<>(this, alignment, unionOffset, size);
        }
    }
}
