// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.cli.shell.CheckResult;
import dev.jurom.cli.shell.FailureLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Collects the findings of all checks and reports each immediately. This class is not thread-safe.
 */
final class Findings {

    /** A check. */
    @FunctionalInterface
    interface Check {
        Finding look() throws Exception;
    }

    private final List<Finding> all = new ArrayList<>();
    private final Consumer<Finding> listener;

    Findings(Consumer<Finding> listener) {
        this.listener = listener;
    }

    void add(Finding finding) {
        all.add(finding);
        listener.accept(finding);
    }

    /**
     * Runs a check. An exception is reported as a failure with its message.
     *
     * @return false if the check failed
     */
    boolean check(String name, Check check) {
        Finding finding;
        try {
            finding = check.look();
        } catch (Exception | LinkageError e) {
            finding = new Finding(name, CheckResult.FAIL, FailureLine.of(e).text(), Optional.empty());
        }
        add(finding);
        return finding.result() != CheckResult.FAIL;
    }

    List<Finding> all() {
        return List.copyOf(all);
    }

    long count(CheckResult result) {
        return all.stream().filter(finding -> finding.result() == result).count();
    }
}
