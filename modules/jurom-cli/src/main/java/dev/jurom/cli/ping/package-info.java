// SPDX-License-Identifier: Apache-2.0
/** {@code urom ping}: measures the round-trip time of commands. */
package dev.jurom.cli.ping;
