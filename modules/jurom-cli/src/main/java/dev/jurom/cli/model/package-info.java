// SPDX-License-Identifier: Apache-2.0
/** {@code urom model}: estimates of what a DPU would change, from measured figures. */
package dev.jurom.cli.model;
