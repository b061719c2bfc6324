// SPDX-License-Identifier: Apache-2.0
/**
 * The building blocks of a plugin's host side: codecs between Java records and the C structs that a
 * plugin reads and writes, and access to host memory.
 *
 * <p>A plugin author describes a struct once, field by field, in the order of its C declaration:
 *
 * {@snippet class="dev.jurom.plugin.CodecExampleTest" region="describe"}
 *
 * <p>The {@link dev.jurom.plugin.StructCodec} then packs a record into a command's payload and
 * unpacks one from a response, with C's own alignment and padding:
 *
 * {@snippet class="dev.jurom.plugin.CodecExampleTest" region="use"}
 *
 * <p>A {@link dev.jurom.plugin.UnionCodec} packs a sealed interface into a tagged union, a
 * {@link dev.jurom.plugin.SequenceCodec} packs a list. Variable-length bytes follow the struct;
 * {@code docs/plugin-protocols.md} describes their layout. A malformed message causes a
 * {@link dev.jurom.plugin.CodecException}.
 *
 * <p>A reused {@link dev.jurom.plugin.MessageView} reads single fields of a validated message without
 * allocating memory:
 *
 * {@snippet class="dev.jurom.plugin.CodecExampleTest" region="view"}
 *
 * <p>{@code docs/plugins.md} of the repository develops a plugin from the first line of C to the file
 * that a daemon finds.
 *
 * <p>Contents of this package:
 * <ul>
 * <li>commands: {@link dev.jurom.plugin.Offload} describes a kind of command,
 * {@link dev.jurom.plugin.BlockingCall} runs a single command on an application's own engine;
 * <li>codecs: {@link dev.jurom.plugin.Codec}, {@link dev.jurom.plugin.StructCodec},
 * {@link dev.jurom.plugin.UnionCodec}, {@link dev.jurom.plugin.SequenceCodec},
 * {@link dev.jurom.plugin.MessageView}, {@link dev.jurom.plugin.CodecException};
 * <li>describing a struct: a record class ({@link dev.jurom.plugin.StructCodec#ofRecord(Class)},
 * {@link dev.jurom.plugin.Length}), or a {@link dev.jurom.plugin.StructBuilder}, whose fields are
 * {@link dev.jurom.plugin.IntegerField} ({@link dev.jurom.plugin.CInteger}),
 * {@link dev.jurom.plugin.IntegersField}, {@link dev.jurom.plugin.FloatingField},
 * {@link dev.jurom.plugin.BytesField}, {@link dev.jurom.plugin.TextField},
 * {@link dev.jurom.plugin.NestedField}, {@link dev.jurom.plugin.NestedArrayField},
 * {@link dev.jurom.plugin.PointerField} and, behind the struct, {@link dev.jurom.plugin.InlineField}
 * ({@link dev.jurom.plugin.InlineLength}); their common class: {@link dev.jurom.plugin.Field};
 * <li>the host's memory: {@link dev.jurom.plugin.HostMemory}, {@link dev.jurom.plugin.HostRegion}.
 * </ul>
 *
 * <p>Plugins access memory of the host as a {@link dev.jurom.plugin.HostRegion} of its
 * {@link dev.jurom.plugin.HostMemory}.
 */
@NullMarked
package dev.jurom.plugin;

import org.jspecify.annotations.NullMarked;
