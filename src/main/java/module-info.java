// SPDX-License-Identifier: Apache-2.0
/** Offloading from Java to DPUs through DOCA UROM. */
module dev.jurom {
    requires static info.picocli;
    requires static HdrHistogram;
}
