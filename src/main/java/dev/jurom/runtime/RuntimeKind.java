// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

/** The kind of the native libraries. */
public enum RuntimeKind {

    /** The DOCA of the vendor, which drives hardware devices. */
    VENDOR,

    /** The software DOCA of jurom, whose worker processes run on this machine. */
    SOFTWARE
}
