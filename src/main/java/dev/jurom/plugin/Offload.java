// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of command: the plugin that runs it and its version, how a command is packed, and how its
 * answer is read. A constant that any thread may use.
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
     * The version of the plugin that these commands are for. A worker refuses them when the
     * service's plugin has another.
     *
     * @return the version, as the plugin says of itself
     */
    long version();

    /**
     * The format of commands, when it is a codec: then the other side of the plugin can be made
     * from this too.
     *
     * @return the codec, or empty if a function packs them
     */
    default Optional<Codec<C>> commands() {
        return Optional.empty();
    }

    /**
     * The format of answers, when it is a codec.
     *
     * @return the codec, or empty if a function unpacks them
     */
    default Optional<Codec<R>> notifications() {
        return Optional.empty();
    }

    /**
     * Writes a command to a payload, in the thread that submits it.
     *
     * @param command what to write
     * @param payload where: as much room as a command can have; only to be used during this call
     * @return how many bytes were written
     */
    long pack(C command, MemorySegment payload);

    /**
     * Reads an answer: in the calling thread for a blocking call, on the completion executor for a
     * future.
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
     * @param version the plugin's version
     * @param packer writes a command
     * @param unpacker reads an answer; the response is only to be used during the call
     * @return the kind of command
     */
    static <C, R> Offload<C, R> of(
            String plugin,
            long version,
            Packer<? super C> packer,
            Function<? super MemorySegment, ? extends R> unpacker) {
        return new Offload<>() {

            @Override
            public String plugin() {
                return plugin;
            }

            @Override
            public long version() {
                return version;
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
     * @param version the plugin's version
     * @param commands packs commands
     * @param notifications unpacks answers
     * @return the kind of command
     */
    static <C, R> Offload<C, R> of(String plugin, long version, Codec<C> commands, Codec<R> notifications) {
        return new Offload<>() {

            @Override
            public String plugin() {
                return plugin;
            }

            @Override
            public long version() {
                return version;
            }

            @Override
            public Optional<Codec<C>> commands() {
                return Optional.of(commands);
            }

            @Override
            public Optional<Codec<R>> notifications() {
                return Optional.of(notifications);
            }

            @Override
            public long pack(C command, MemorySegment payload) {
                return commands.pack(command, payload);
            }

            @Override
            public R unpack(MemorySegment response) {
                var copy = MemorySegment.ofArray(new byte[Math.toIntExact(response.byteSize())]);
                copy.copyFrom(response);
                return notifications.unpack(copy.asReadOnly());
            }
        };
    }
}
