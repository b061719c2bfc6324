// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** Which contexts a progress engine looks at. Stands for {@code enum doca_pe_event_mode}. */
public enum EventMode {

    /** Those that have reported an event: the library's default. */
    PROGRESS_SELECTIVE,

    /** All of them, each time. */
    PROGRESS_ALL
}
