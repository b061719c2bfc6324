// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * A kind of command: the plugin that runs it, how it is packed, and how its answer is read. A
 * constant that any thread may use.
 *
 * @param <C> what is sent
 * @param <R> what is answered
 */
public interface Offload<C, R> {

    /**
     * Packs a command.
     *
     * @param <C> what is sent
     */
    @FunctionalInterface
    interface Packer<C> {

        /**
         * Writes a command to a payload.
         *
         * @param command what to write
         * @param payload where: as much room as a command can have; only to be used during this
         *         call
         * @return how many bytes were written
         */
        long pack(C command, MemorySegment payload);
    }

    /**
     * The plugin that runs the commands.
     *
     * @return its name: that of its file without {@code .so}
     */
    String plugin();

    /**
     * Writes a command to a payload, in the thread that submits it.
     *
     * @param command what to write
     * @param payload where: as much room as a command can have; only to be used during this call
     * @return how many bytes were written
     */
    long pack(C command, MemorySegment payload);

    /**
     * Reads an answer, in whichever thread drives the progress engine: it must be quick and must
     * not wait.
     *
     * @param response exactly the bytes that the plugin packed; only to be used during this call
     * @return the answer, with copies of what it needs of the response
     */
    R unpack(MemorySegment response);

    /**
     * Makes a kind of command from two functions.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param plugin the plugin's name
     * @param packer writes a command
     * @param unpacker reads an answer; the response is only to be used during the call
     * @return the kind of command
     */
    static <C, R> Offload<C, R> of(String plugin, Packer<? super C> packer,
            Function<? super MemorySegment, ? extends R> unpacker) {
        return new Offload<>() {

            @Override
            public String plugin() {
                return plugin;
            }

            @Override
            public long pack(C command, MemorySegment payload) {
                return packer.pack(command, payload);
            }

            @Override
            public R unpack(MemorySegment response) {
                return unpacker.apply(response);
            }
        };
    }

    /**
     * Makes a kind of command from two codecs. The answer refers to a copy of the response on the
     * heap, so that it may be kept.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param plugin the plugin's name
     * @param commands packs commands
     * @param notifications unpacks answers
     * @return the kind of command
     */
    static <C, R> Offload<C, R> of(String plugin, Codec<C> commands, Codec<R> notifications) {
        return of(plugin, commands::pack, response -> {
            var copy = MemorySegment.ofArray(new byte[Math.toIntExact(response.byteSize())]);
            copy.copyFrom(response);
            return notifications.unpack(copy.asReadOnly());
        });
    }
}
