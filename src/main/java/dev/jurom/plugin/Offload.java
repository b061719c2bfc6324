// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of command: the name and version of the plugin that runs it, the packing of commands, and the
 * unpacking of answers. Implementations are immutable and thread-safe.
 *
 * @param <C> the type of commands
 * @param <R> the type of answers
 */
public interface Offload<C, R> {

    /**
     * Packs a command.
     *
     * @param <C> the type of commands
     */
    @FunctionalInterface
    interface Packer<C> {

        /**
         * Writes a command to a payload.
         *
         * @param command the command
         * @param payload a segment of the maximum size of a command, valid only during this call
         * @return the number of bytes written
         */
        long pack(C command, MemorySegment payload);
    }

    /**
     * Returns the name of the plugin that runs the commands.
     *
     * @return the name of its file without {@code .so}
     */
    String plugin();

    /**
     * Returns the version of the plugin that these commands are for. A worker rejects them if the
     * service's plugin has another version.
     *
     * @return the version that the plugin reports
     */
    long version();

    /**
     * Returns the codec of commands, from which the worker's side of the plugin can also be derived.
     *
     * @return the codec; empty if a function packs commands
     */
    default Optional<Codec<C>> commands() {
        return Optional.empty();
    }

    /**
     * Returns the codec of answers.
     *
     * @return the codec; empty if a function unpacks answers
     */
    default Optional<Codec<R>> notifications() {
        return Optional.empty();
    }

    /**
     * Writes a command to a payload. Runs on the thread that submits the command.
     *
     * @param command the command
     * @param payload a segment of the maximum size of a command, valid only during this call
     * @return the number of bytes written
     */
    long pack(C command, MemorySegment payload);

    /**
     * Returns whether answers to futures are unpacked where they arrive, on the engine thread, which saves a copy
     * of each response. Return true only if {@link #unpack} copies bytes and never blocks: all commands wait for it
     * meanwhile.
     *
     * @return false unless overridden
     */
    default boolean unpacksAtOnce() {
        return false;
    }

    /**
     * Reads an answer. Runs on the calling thread of a blocking call, on the completion executor of
     * a future, or on the engine thread if answers are {@linkplain #unpacksAtOnce unpacked at once}.
     *
     * @param response exactly the bytes that the plugin packed, valid only during this call
     * @return the answer, which does not refer to the response
     */
    R unpack(MemorySegment response);

    /**
     * Creates a kind of command from two functions.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param plugin the plugin's name
     * @param version the plugin's version
     * @param packer writes a command
     * @param unpacker reads an answer; the response is valid only during the call
     * @return the kind of command
     */
    static <C, R> Offload<C, R> of(
            String plugin,
            long version,
            Packer<? super C> packer,
            Function<? super MemorySegment, ? extends R> unpacker) {
        Objects.requireNonNull(plugin);
        Objects.requireNonNull(packer);
        Objects.requireNonNull(unpacker);
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
     * Creates a kind of command from two codecs. Answers refer to a copy of the response on the heap
     * and remain valid.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param plugin the plugin's name
     * @param version the plugin's version
     * @param commands packs commands
     * @param notifications unpacks answers
     * @return the kind of command
     */
    static <C, R> Offload<C, R> of(String plugin, long version, Codec<C> commands, Codec<R> notifications) {
        Objects.requireNonNull(plugin);
        Objects.requireNonNull(commands);
        Objects.requireNonNull(notifications);
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
