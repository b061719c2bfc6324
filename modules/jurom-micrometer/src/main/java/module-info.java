// SPDX-License-Identifier: Apache-2.0
/** What a host of jurom counts, as meters of Micrometer. */
@SuppressWarnings("requires-transitive-automatic") // its name is in its manifest, and stays
module dev.jurom.micrometer {
    requires transitive dev.jurom;
    requires transitive micrometer.core;

    exports dev.jurom.micrometer;
}
