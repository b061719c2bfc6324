// SPDX-License-Identifier: Apache-2.0
/** What all commands share: options, exit codes, how they print, and how they say what failed. */
package dev.jurom.cli.shell;
