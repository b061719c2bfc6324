// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.cli.shell.CheckResult;
import java.util.Optional;

/**
 * The finding of a check.
 *
 * @param name the checked item
 * @param result the result
 * @param what the finding in words
 * @param fix how to fix it: a command, or a sentence
 */
record Finding(String name, CheckResult result, String what, Optional<String> fix) {

    static Finding pass(String name, String what) {
        return new Finding(name, CheckResult.PASS, what, Optional.empty());
    }

    static Finding warn(String name, String what, String fix) {
        return new Finding(name, CheckResult.WARN, what, Optional.of(fix));
    }

    static Finding fail(String name, String what, String fix) {
        return new Finding(name, CheckResult.FAIL, what, Optional.of(fix));
    }
}
