// SPDX-License-Identifier: Apache-2.0
/**
 * Commands that show the counters of running services, workers and hosts: {@code stat}, {@code
 * top}, {@code errors} and {@code metrics}. They read files and do not disturb the counting
 * processes.
 */
package dev.jurom.cli.counters;
