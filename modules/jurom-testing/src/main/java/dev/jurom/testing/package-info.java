// SPDX-License-Identifier: Apache-2.0
/**
 * Tests for authors of plugins that need no hardware.
 *
 * <ul>
 * <li>{@link dev.jurom.testing.CLayout} compares the layout of a codec with that of the C struct,
 * according to the C compiler.
 * <li>{@link dev.jurom.testing.CodecLaws} are properties of every codec, which jqwik tests with
 * generated messages.
 * <li>{@link dev.jurom.testing.CProgram} compiles and runs a C program, for example to compare
 * packed messages.
 * <li>{@link dev.jurom.testing.GuardedMemory} detects accesses beyond the end of a buffer.
 * <li>{@link dev.jurom.testing.InProcessPlugin} runs a worker plugin in Java without a worker.
 * <li>{@link dev.jurom.testing.EmbeddedServiceExtension} provides a service with workers for a
 * JUnit test.
 * </ul>
 *
 * <p>The artifact {@code dev.jurom:jurom-testing} contains this package. The JVM that runs the
 * tests needs {@code --enable-native-access=ALL-UNNAMED} (on the class path) or
 * {@code --enable-native-access=dev.jurom,dev.jurom.testing}.
 */
package dev.jurom.testing;
