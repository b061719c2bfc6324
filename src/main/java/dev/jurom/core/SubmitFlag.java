// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** How a task is submitted. Stands for {@code enum doca_task_submit_flag}. */
public enum SubmitFlag {

    /** Hand it, and those that wait before it, to the device at once. */
    FLUSH(1),

    /** Let the library report several completions in one go. */
    OPTIMIZE_REPORTS(2);

    private final int bit;

    SubmitFlag(int bit) {
        this.bit = bit;
    }

    /**
     * The flag's value in C.
     *
     * @return one bit
     */
    public int bit() {
        return bit;
    }
}
