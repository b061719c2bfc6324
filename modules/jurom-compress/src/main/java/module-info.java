// SPDX-License-Identifier: Apache-2.0
/**
 * Compression of blocks and streams in UROM workers. Begin with {@link dev.jurom.compress.Compression}.
 */
@SuppressWarnings("requires-automatic") // the manifest of lz4-java fixes its name
module dev.jurom.compress {
    requires transitive dev.jurom;
    requires com.github.luben.zstd_jni;
    requires static jdk.jfr; // events are recorded where the Java runtime has it
    requires static org.jspecify; // nullness annotations, which other modules do not need
    requires org.lz4.java;

    exports dev.jurom.compress;
}
