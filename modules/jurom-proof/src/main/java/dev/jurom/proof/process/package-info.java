// SPDX-License-Identifier: Apache-2.0
/** Starts, signals and monitors processes, and manages their folders. */
package dev.jurom.proof.process;
