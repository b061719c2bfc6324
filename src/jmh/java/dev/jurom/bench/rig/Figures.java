// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Locale;

/** Formats figures with three significant digits and a suitable unit. */
final class Figures {

    private Figures() {}

    /** Formats a number, or a dash for NaN. */
    static String number(double amount) {
        if (Double.isNaN(amount)) {
            return "-";
        }
        var magnitude = amount == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(amount)));
        return String.format(Locale.ROOT, "%." + Math.clamp(2 - magnitude, 0, 4) + "f", amount);
    }

    /** Formats a time given in nanoseconds. */
    static String time(double nanoseconds) {
        if (Double.isNaN(nanoseconds)) {
            return "-";
        }
        if (nanoseconds < 1e3) {
            return number(nanoseconds) + " ns";
        }
        return nanoseconds < 1e6 ? number(nanoseconds / 1e3) + " µs" : number(nanoseconds / 1e6) + " ms";
    }

    /** Formats a rate per second. */
    static String rate(double perSecond) {
        if (perSecond < 1e3) {
            return number(perSecond) + " /s";
        }
        return perSecond < 1e6 ? number(perSecond / 1e3) + " k/s" : number(perSecond / 1e6) + " M/s";
    }
}
