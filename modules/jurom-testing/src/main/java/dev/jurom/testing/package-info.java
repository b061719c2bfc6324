// SPDX-License-Identifier: Apache-2.0
/**
 * What authors of plugins prove their packing with, before they touch hardware.
 *
 * <ul>
 * <li>{@link dev.jurom.testing.CLayout} asks the C compiler for the layout of a plugin's struct and
 * compares it with the codec's.
 * <li>{@link dev.jurom.testing.CodecLaws} are properties that every codec must have; jqwik tries
 * them with messages of yours.
 * <li>{@link dev.jurom.testing.CProgram} compiles the same packing in C, to compare bytes with.
 * <li>{@link dev.jurom.testing.GuardedMemory} stops who writes past the end of a buffer.
 * <li>{@link dev.jurom.testing.EmbeddedServiceExtension} gives a JUnit test a service with workers.
 * </ul>
 *
 * <p>The artifact {@code dev.jurom:jurom-testing} holds it. The JVM that runs the tests needs
 * {@code --enable-native-access=ALL-UNNAMED} (on the class path) or
 * {@code --enable-native-access=dev.jurom,dev.jurom.testing}.
 */
package dev.jurom.testing;
