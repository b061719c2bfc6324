// SPDX-License-Identifier: Apache-2.0
/** Whether anything grows over minutes of load and mischief. */
package dev.jurom.proof.soak;
