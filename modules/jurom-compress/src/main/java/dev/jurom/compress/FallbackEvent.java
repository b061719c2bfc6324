// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/**
 * The event of a block that this process has processed because no worker could. It is disabled unless a recording
 * enables it, and has no effect if the Java runtime lacks the module {@code jdk.jfr}.
 */
final class FallbackEvent {

    /** The event of JDK Flight Recorder. This class is not loaded without the module. */
    @Name("dev.jurom.CompressionFallback")
    @Label("UROM Compression Fallback")
    @Category("jurom")
    @Description("A block that was compressed or decompressed in this process because no worker could")
    @Enabled(false)
    static final class Recorded extends Event {

        @Label("Operation")
        String operation = "";

        @Label("Format")
        String format = "";

        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Error")
        String error = "";

        @Label("Reason")
        String reason = "";
    }

    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private final @Nullable Recorded recorded = PRESENT ? new Recorded() : null;

    String operation = "";
    String format = "";
    long bytes;
    String error = "";
    String reason = "";

    void begin() {
        if (recorded != null) {
            recorded.begin();
        }
    }

    void end() {
        if (recorded != null) {
            recorded.end();
        }
    }

    boolean shouldCommit() {
        return recorded != null && recorded.shouldCommit();
    }

    void commit() {
        if (recorded != null) {
            recorded.operation = operation;
            recorded.format = format;
            recorded.bytes = bytes;
            recorded.error = error;
            recorded.reason = reason;
            recorded.commit();
        }
    }
}
