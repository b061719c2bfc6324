// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.math.BigDecimal;
import java.util.Locale;

/** How figures are written: with three digits that count, in the unit that suits them. */
final class Figures {

    private Figures() {}

    /** A number; a dash when there is none. */
    static String number(double amount) {
        if (Double.isNaN(amount)) {
            return "-";
        }
        var magnitude = amount == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(amount)));
        return String.format(Locale.ROOT, "%." + Math.clamp(2 - magnitude, 0, 4) + "f", amount);
    }

    /** A power of ten, with all its zeros. */
    static String power(int power) {
        return BigDecimal.ONE.scaleByPowerOfTen(power).toPlainString();
    }

    /** A time that is given in nanoseconds. */
    static String time(double nanoseconds) {
        if (Double.isNaN(nanoseconds)) {
            return "-";
        }
        if (nanoseconds < 1e3) {
            return number(nanoseconds) + " ns";
        }
        return nanoseconds < 1e6 ? number(nanoseconds / 1e3) + " µs" : number(nanoseconds / 1e6) + " ms";
    }

    /** So many a second. */
    static String rate(double perSecond) {
        if (perSecond < 1e3) {
            return number(perSecond) + " /s";
        }
        return perSecond < 1e6 ? number(perSecond / 1e3) + " k/s" : number(perSecond / 1e6) + " M/s";
    }
}
