// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.DocaError;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Compares the addresses that the library accepts with those that {@link ServiceLocation#address} accepts. */
class ServiceAddressTest {

    private static MemorySegment service;

    @BeforeContainer
    static void create() {
        DocaRuntime.current();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            assertEquals(DocaError.SUCCESS.code(), doca_h.doca_urom_service_create(result));
            service = result.get(ValueLayout.ADDRESS, 0);
        }
    }

    @AfterContainer
    static void destroy() {
        assertEquals(DocaError.SUCCESS.code(), doca_h.doca_urom_service_destroy(service));
    }

    private static boolean isAcceptedByLibrary(String address) {
        try (var arena = Arena.ofConfined()) {
            return doca_h.jurom_urom_service_set_address(service, arena.allocateFrom(address))
                    == DocaError.SUCCESS.code();
        }
    }

    private static boolean isAccepted(String address) {
        try {
            ServiceLocation.address(address);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Strings of the parts of addresses, most of which are malformed. */
    @Provide
    static Arbitrary<String> texts() {
        var part = Arbitraries.frequencyOf(
                Tuple.of(
                        5,
                        Arbitraries.of(
                                "unix:",
                                "/run/urom.sock",
                                "node1",
                                "10.7.0.1",
                                "fe80::1",
                                "[",
                                "]",
                                ":",
                                ":7471",
                                ":0",
                                "65535",
                                "65536",
                                "#",
                                " ",
                                "\t",
                                "\u007f",
                                "\u0001",
                                "é",
                                ",")),
                Tuple.of(1, Arbitraries.integers().between(100, 110).map("/"::repeat)),
                Tuple.of(1, Arbitraries.integers().between(253, 257).map("n"::repeat)));
        return part.list().ofMinSize(0).ofMaxSize(4).map(parts -> String.join("", parts));
    }

    @Property(tries = 5000)
    void java_and_the_library_accept_the_same_addresses(@ForAll("texts") String text) {
        assertEquals(isAcceptedByLibrary(text), isAccepted(text), () -> "\"" + text + "\"");
    }

    @Example
    void addresses_of_each_form_are_accepted() {
        for (var address :
                List.of("node1", "node1:7471", "10.7.0.1:1", "[::1]:65535", "fe80::1", "unix:/run/urom.sock")) {
            assertEquals(List.of(true, true), List.of(isAcceptedByLibrary(address), isAccepted(address)), address);
        }
    }
}
