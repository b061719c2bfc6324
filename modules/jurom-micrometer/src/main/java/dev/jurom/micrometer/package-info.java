// SPDX-License-Identifier: Apache-2.0
/** Meters of what a host counts: {@link dev.jurom.micrometer.UromMetrics}. */
package dev.jurom.micrometer;
