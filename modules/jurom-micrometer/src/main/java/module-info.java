// SPDX-License-Identifier: Apache-2.0
/** Micrometer meters of the counters of a jurom host and of a compression. */
@SuppressWarnings("requires-transitive-automatic") // the manifest fixes its name
module dev.jurom.micrometer {
    requires transitive dev.jurom;
    requires static transitive dev.jurom.compress; // for CompressionMetrics only
    requires transitive micrometer.core;

    exports dev.jurom.micrometer;
}
