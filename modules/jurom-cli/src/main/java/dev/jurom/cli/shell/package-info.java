// SPDX-License-Identifier: Apache-2.0
/** Code shared by all commands: options, exit codes, output and the reporting of failures. */
package dev.jurom.cli.shell;
