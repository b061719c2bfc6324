// SPDX-License-Identifier: Apache-2.0
/**
 * Meters of a host's counters: {@link dev.jurom.micrometer.UromMetrics}; of a compression's:
 * {@link dev.jurom.micrometer.CompressionMetrics}; of the workers of a pool: {@link dev.jurom.micrometer.PoolMetrics}; of the duration of commands: {@link dev.jurom.micrometer.CommandTimer}.
 */
package dev.jurom.micrometer;
