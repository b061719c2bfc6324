// SPDX-License-Identifier: Apache-2.0
/**
 * What running services, workers and hosts count: {@code stat}, {@code top}, {@code errors} and
 * {@code metrics}. They read files, and whoever counts does not notice.
 */
package dev.jurom.cli.counters;
