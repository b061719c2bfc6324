// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** An option for submitting a task. Stands for {@code enum doca_task_submit_flag}. */
public enum SubmitFlag {

    /** Send the task, and tasks that were submitted earlier, to the device immediately. */
    FLUSH(1),

    /** Allow the library to report several completions together. */
    OPTIMIZE_REPORTS(2);

    private final int bit;

    SubmitFlag(int bit) {
        this.bit = bit;
    }

    /**
     * Returns the value of this flag in C.
     *
     * @return a number with one bit set
     */
    public int bit() {
        return bit;
    }
}
