// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

/**
 * Which shape UCX gives to {@code ucp_mem_map_params_t} on the far side, where the sandbox plugin
 * was compiled. The struct is part of the mapping command, the largest of the union, and so decides
 * the size of every sandbox command.
 */
public enum UcxLayout {
    /** UCX 1.13 and before: parameters of 40 bytes, commands of 64. */
    UCX_1_13(40),
    /** UCX 1.14 and after: parameters of 48 bytes, commands of 72, and exported memory handles. */
    UCX_1_14(48);

    private final long parametersSize;

    UcxLayout(long parametersSize) {
        this.parametersSize = parametersSize;
    }

    /**
     * The layout of a version of UCX.
     *
     * @param major the version's first number
     * @param minor the version's second number
     * @return the layout that its headers have
     */
    public static UcxLayout of(int major, int minor) {
        return major > 1 || major == 1 && minor >= 14 ? UCX_1_14 : UCX_1_13;
    }

    /**
     * The size of {@code ucp_mem_map_params_t}.
     *
     * @return the size in bytes
     */
    public long parametersSize() {
        return parametersSize;
    }
}
