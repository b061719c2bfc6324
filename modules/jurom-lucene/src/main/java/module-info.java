// SPDX-License-Identifier: Apache-2.0
/**
 * A codec of Lucene whose stored fields are compressed in UROM workers:
 * {@link dev.jurom.lucene.Jurom103Codec}.
 */
module dev.jurom.lucene {
    requires transitive dev.jurom.compress;
    requires transitive org.apache.lucene.core;
    requires static org.jspecify; // nullness annotations, which other modules do not need

    exports dev.jurom.lucene;

    provides org.apache.lucene.codecs.Codec with
            dev.jurom.lucene.Jurom103Codec;
}
