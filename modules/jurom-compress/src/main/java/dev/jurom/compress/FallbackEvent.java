// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A block that no worker could process, and that this process processed instead. Off unless asked for. */
@Name("dev.jurom.CompressionFallback")
@Label("UROM Compression Fallback")
@Category("jurom")
@Description("A block that was compressed or decompressed in this process because no worker could")
@Enabled(false)
final class FallbackEvent extends Event {

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
