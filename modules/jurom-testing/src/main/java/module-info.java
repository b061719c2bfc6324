// SPDX-License-Identifier: Apache-2.0
/** What authors of plugins prove their packing with. */
@SuppressWarnings({"requires-transitive-automatic", "requires-automatic"}) // jqwik is no module yet
module dev.jurom.testing {
    requires transitive dev.jurom;
    requires transitive org.junit.jupiter.api;
    requires transitive net.jqwik.api;

    exports dev.jurom.testing;
    opens dev.jurom.testing;
}
