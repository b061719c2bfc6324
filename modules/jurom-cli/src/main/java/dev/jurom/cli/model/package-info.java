// SPDX-License-Identifier: Apache-2.0
/** {@code urom model}: estimates of the effects of a DPU, from measured figures. */
package dev.jurom.cli.model;
