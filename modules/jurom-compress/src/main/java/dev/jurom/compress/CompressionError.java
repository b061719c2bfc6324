// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

/** The reason for the failure of a block or a stream. */
public enum CompressionError {

    /** The format is unknown to the worker, or the frame has a version of it that is not supported. */
    UNKNOWN_FORMAT("the format is not supported", true),

    /** The format has no such level. */
    INVALID_LEVEL("the format has no such level", false),

    /** The compressed data is invalid, has a wrong checksum, or continues after the end of its frame. */
    CORRUPT("the compressed data is corrupt", false),

    /** The compressed data ends too early. */
    TRUNCATED("the compressed data is truncated", false),

    /** The output does not fit into its buffer, which then has unspecified content. */
    OUTPUT_TOO_LARGE("the output does not fit into the buffer", false),

    /** The dictionary is missing, wrong or invalid, or the format has no dictionaries. */
    DICTIONARY("the dictionary is missing, wrong or not supported by the format", false),

    /**
     * The source or the destination cannot be accessed: its arena was closed, or its mapped file was truncated, before
     * the block was complete. The cause is the exception of the access.
     */
    INACCESSIBLE("memory of the caller cannot be accessed", false),

    /**
     * The command exceeds a memory limit of the worker, or the worker has no memory; or the window of a frame in a
     * stream exceeds a limit of the {@link CompressionConfiguration}.
     */
    MEMORY("a memory limit is exceeded", true),

    /** The block does not fit into a message to the worker. */
    BLOCK_TOO_LARGE("the block does not fit into a message", true),

    /** No worker runs. The cause is the reason. */
    NO_WORKER("no worker runs", true),

    /** The worker exited or did not answer in time. The cause has the exit status. */
    WORKER_FAILED("the worker failed", true);

    private final String text;
    private final boolean ofWorker;

    CompressionError(String text, boolean ofWorker) {
        this.text = text;
        this.ofWorker = ofWorker;
    }

    /** Returns a clause that states this. */
    String text() {
        return text;
    }

    /**
     * Returns whether the workers or the service are the cause rather than the block or its parameters.
     *
     * @return true if the block can be processed by this process or, later, by other workers
     */
    public boolean isOfWorker() {
        return ofWorker;
    }
}
