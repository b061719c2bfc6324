// SPDX-License-Identifier: Apache-2.0
/** Processes that a proof starts and watches. */
package dev.jurom.proof.watch;
