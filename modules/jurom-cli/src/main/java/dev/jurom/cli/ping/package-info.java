// SPDX-License-Identifier: Apache-2.0
/** {@code urom ping}: how long a command takes, there and back. */
package dev.jurom.cli.ping;
