// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs a list of records into consecutive structs that extend to the end of the message. The inline
 * parts of a struct follow it immediately. There is no alignment or padding between elements.
 *
 * @param <E> the type of the elements
 */
public final class SequenceCodec<E> extends Codec<List<E>> {

    private final Codec<E> element;

    private SequenceCodec(Codec<E> element) {
        super(element.name() + "[]", 0, 1);
        this.element = element;
    }

    /**
     * Creates a codec for lists.
     *
     * @param element the codec of an element
     * @param <E> the type of the elements
     * @return a codec for lists of any length
     * @throws IllegalArgumentException if an element has no fixed part, or extends to the end of the
     *     message
     */
    public static <E> SequenceCodec<E> of(Codec<E> element) {
        if (element.size() == 0 || element.takesRest()) {
            throw new IllegalArgumentException(
                    "The end of an element in a sequence of " + element.name() + " is unknown: give it a length field");
        }
        return new SequenceCodec<>(element);
    }

    @Override
    void packFixed(List<E> value, MemorySegment payload, long at) {
        // there is no fixed part
    }

    @Override
    long packInline(List<E> value, MemorySegment payload, long at, long inline) {
        long end = inline;
        for (int i = 0; i < value.size(); i++) {
            end = element.packAt(value.get(i), payload, end);
        }
        return end;
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        long end = inline;
        while (end < message.byteSize()) {
            end = element.checkAt(message, end);
        }
        return end;
    }

    @Override
    List<E> read(MessageView view) {
        long at = view.at;
        long inline = view.inline;
        var elements = new ArrayList<E>();
        long next = inline;
        while (next < view.message().byteSize()) {
            view.at = next;
            view.inline = next + element.size();
            next = element.checkAt(view.message(), next);
            elements.add(element.read(view));
        }
        view.at = at;
        view.inline = inline;
        return List.copyOf(elements);
    }

    @Override
    boolean hasInline() {
        return true;
    }

    @Override
    public boolean takesRest() {
        return true;
    }
}
