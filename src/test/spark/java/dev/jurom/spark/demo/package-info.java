// SPDX-License-Identifier: Apache-2.0
/** The demonstration of jurom-spark: a sort on a standalone cluster of this machine. */
package dev.jurom.spark.demo;
