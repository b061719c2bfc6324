// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

/**
 * The layout of {@code ucp_mem_map_params_t} in the version of UCX that the sandbox plugin was compiled
 * with. The struct is part of the mapping command, the largest member of the union, and so determines
 * the size of all sandbox commands.
 */
public enum UcxLayout {
    /** UCX 1.13 and earlier: parameters of 40 bytes, commands of 64 bytes. */
    UCX_1_13(40),
    /** UCX 1.14 and later: parameters of 48 bytes, commands of 72 bytes, exported memory handles. */
    UCX_1_14(48);

    private final long parametersSize;

    UcxLayout(long parametersSize) {
        this.parametersSize = parametersSize;
    }

    /**
     * Returns the layout of a version of UCX.
     *
     * @param major the major version
     * @param minor the minor version
     * @return the layout of its headers
     */
    public static UcxLayout of(int major, int minor) {
        return major > 1 || major == 1 && minor >= 14 ? UCX_1_14 : UCX_1_13;
    }

    /**
     * Returns the size of {@code ucp_mem_map_params_t}.
     *
     * @return the size in bytes
     */
    public long parametersSize() {
        return parametersSize;
    }
}
