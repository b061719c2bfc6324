// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

/** Whose native libraries are in use. */
public enum RuntimeKind {

    /** The vendor's DOCA, which drives real devices. */
    VENDOR,

    /** The software DOCA that ships with jurom: worker processes on this machine's own cores. */
    SOFTWARE
}
