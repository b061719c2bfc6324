// SPDX-License-Identifier: Apache-2.0
/** The {@code urom} command. */
package dev.jurom.cli;
