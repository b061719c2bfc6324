// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The error numbers of Linux that calls of the software may return, by their symbolic names. */
final class Errno {

    private static final Map<String, Long> NUMBERS = Map.ofEntries(
            Map.entry("EPERM", 1L),
            Map.entry("ENOENT", 2L),
            Map.entry("EINTR", 4L),
            Map.entry("EIO", 5L),
            Map.entry("E2BIG", 7L),
            Map.entry("EBADF", 9L),
            Map.entry("ECHILD", 10L),
            Map.entry("EAGAIN", 11L),
            Map.entry("ENOMEM", 12L),
            Map.entry("EACCES", 13L),
            Map.entry("EBUSY", 16L),
            Map.entry("EEXIST", 17L),
            Map.entry("ENODEV", 19L),
            Map.entry("ENOTDIR", 20L),
            Map.entry("EINVAL", 22L),
            Map.entry("ENFILE", 23L),
            Map.entry("EMFILE", 24L),
            Map.entry("EFBIG", 27L),
            Map.entry("ENOSPC", 28L),
            Map.entry("EROFS", 30L),
            Map.entry("EPIPE", 32L),
            Map.entry("ELOOP", 40L),
            Map.entry("ENOPROTOOPT", 92L),
            Map.entry("EADDRINUSE", 98L),
            Map.entry("ENETDOWN", 100L),
            Map.entry("ENETUNREACH", 101L),
            Map.entry("ECONNABORTED", 103L),
            Map.entry("ECONNRESET", 104L),
            Map.entry("ENOBUFS", 105L),
            Map.entry("ENOTCONN", 107L),
            Map.entry("ETIMEDOUT", 110L),
            Map.entry("ECONNREFUSED", 111L),
            Map.entry("EHOSTUNREACH", 113L),
            Map.entry("EDQUOT", 122L));

    private Errno() {}

    static OptionalLong number(String name) {
        var number = NUMBERS.get(name);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    static Optional<String> name(long number) {
        return NUMBERS.entrySet().stream()
                .filter(entry -> entry.getValue() == number)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    static List<String> names() {
        return NUMBERS.keySet().stream().sorted().toList();
    }
}
