// SPDX-License-Identifier: Apache-2.0
/** {@code urom load}: many concurrent clients of a service or a worker, and their effect on another host. */
package dev.jurom.proof.load;
