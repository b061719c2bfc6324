// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** The contexts that a progress engine polls. Stands for {@code enum doca_pe_event_mode}. */
public enum EventMode {

    /** Contexts that have reported an event: the default of the library. */
    PROGRESS_SELECTIVE,

    /** All contexts. */
    PROGRESS_ALL
}
