// SPDX-License-Identifier: Apache-2.0
/**
 * DOCA UROM: the service that starts workers, the workers that run plugins, and the commands that
 * they are given. The objects mirror those of {@code doca_urom.h} under their names; the rules on
 * lifetime, threads, errors and callbacks are those of {@link dev.jurom.core}.
 */
package dev.jurom.urom;
