// SPDX-License-Identifier: Apache-2.0
/** What authors of plugins prove their packing with. */
module dev.jurom.testing {
    requires transitive dev.jurom;
    requires transitive dev.jurom.service;
    requires transitive org.junit.jupiter.api;
    requires transitive net.jqwik.api;

    exports dev.jurom.testing;

    opens dev.jurom.testing;
}
