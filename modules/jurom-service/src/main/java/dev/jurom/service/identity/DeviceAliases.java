// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The PCI addresses of the software device {@code soft0}: its own, and those that {@code JUROM_DEVICE_ALIASES}
 * adds, in the format that the library reads in the hosts.
 */
public final class DeviceAliases {

    private static final String NAME = "soft0";
    private static final String ADDRESS = "0000:00:00.0";
    private static final int MAX_ALIASES = 64;
    private static final int MAX_SHOWN = 80;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._:-]{1,63}");
    private static final Pattern PCI_ADDRESS = Pattern.compile("(?:([0-9a-f]{4}):)?([0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])");

    private DeviceAliases() {}

    /**
     * Returns the addresses of {@code soft0}.
     *
     * @param aliases the value of the variable; null if it is not set
     * @return the addresses, its own first
     * @throws IllegalArgumentException if the value is malformed; the message names the entry
     */
    public static List<String> ofSoftware(@Nullable String aliases) {
        var names = new HashSet<>(Set.of(NAME, ADDRESS));
        var addresses = new LinkedHashSet<>(List.of(ADDRESS));
        var entries = aliases == null || aliases.isEmpty() ? new String[0] : aliases.split(",");
        if (entries.length > MAX_ALIASES) {
            throw new IllegalArgumentException(
                    "JUROM_DEVICE_ALIASES has " + entries.length + " entries, and " + MAX_ALIASES + " is the limit");
        }
        for (var entry : entries) {
            var words = entry.split("=", -1);
            if (words.length != 2
                    || !WORD.matcher(words[0]).matches()
                    || !WORD.matcher(words[1]).matches()) {
                throw new IllegalArgumentException("The entry \"" + shown(entry)
                        + "\" of JUROM_DEVICE_ALIASES cannot be used: each is NAME=DEVICE or"
                        + " ADDRESS=DEVICE, with a comma between two");
            }
            if (names.contains(whole(words[1])) && names.add(whole(words[0])) && isAddress(whole(words[0]))) {
                addresses.add(whole(words[0]));
            }
        }
        return List.copyOf(addresses);
    }

    private static boolean isAddress(String word) {
        return PCI_ADDRESS.matcher(word).matches();
    }

    /** Returns the long form of an address, and any other name unchanged. */
    private static String whole(String word) {
        var matcher = PCI_ADDRESS.matcher(word.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return word;
        }
        return (matcher.group(1) == null ? "0000" : matcher.group(1)) + ":" + matcher.group(2);
    }

    private static String shown(String entry) {
        return entry.substring(0, Math.min(entry.length(), MAX_SHOWN)).replaceAll("[^\\x21-\\x7e]", "?");
    }
}
