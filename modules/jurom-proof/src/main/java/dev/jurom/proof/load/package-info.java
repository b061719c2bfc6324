// SPDX-License-Identifier: Apache-2.0
/** Crowds around a service and around a worker, and what a host notices of them. */
package dev.jurom.proof.load;
