// SPDX-License-Identifier: Apache-2.0
/**
 * Tests for authors of plugins: the layout of structs, properties of codecs, and a service with
 * workers.
 */
module dev.jurom.testing {
    requires transitive dev.jurom;
    requires transitive dev.jurom.service;
    requires transitive dev.jurom.worker;
    requires transitive org.junit.jupiter.api;
    requires transitive net.jqwik.api;

    exports dev.jurom.testing;

    opens dev.jurom.testing;
}
