// SPDX-License-Identifier: Apache-2.0
/** Micrometer meters of the counters of a jurom host. */
@SuppressWarnings("requires-transitive-automatic") // its name is in its manifest, and stays
module dev.jurom.micrometer {
    requires transitive dev.jurom;
    requires transitive micrometer.core;

    exports dev.jurom.micrometer;
}
