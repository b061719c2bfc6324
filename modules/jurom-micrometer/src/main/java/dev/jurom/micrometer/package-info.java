// SPDX-License-Identifier: Apache-2.0
/** Meters of a host's counters: {@link dev.jurom.micrometer.UromMetrics}. */
package dev.jurom.micrometer;
