// SPDX-License-Identifier: Apache-2.0
/** {@code urom load}: many concurrent clients of a service, and their effect on another host. */
package dev.jurom.proof.load;
