// SPDX-License-Identifier: Apache-2.0
/** Real processes for campaigns: the service, programs in C, signals, and what /proc says of them. */
package dev.jurom.proof.process;
