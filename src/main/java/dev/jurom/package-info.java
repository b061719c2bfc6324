// SPDX-License-Identifier: Apache-2.0
/**
 * The way to offload work that most people start with, and the service that needs no DPU.
 */
package dev.jurom;
