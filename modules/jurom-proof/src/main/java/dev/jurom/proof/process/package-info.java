// SPDX-License-Identifier: Apache-2.0
/** Processes that a proof starts, signals and watches, and folders of theirs. */
package dev.jurom.proof.process;
