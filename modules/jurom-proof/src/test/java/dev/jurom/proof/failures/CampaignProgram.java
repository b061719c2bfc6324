// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import dev.jurom.proof.failures.Injection.Kind;
import dev.jurom.proof.failures.Injection.Role;
import dev.jurom.service.EmbeddedService;
import java.util.List;
import java.util.SplittableRandom;

/** Executes runs with one failure each in one JVM, until a violation. */
final class CampaignProgram {

    private static final int FIRST_RUNS = 3; // without a failure, to find the reached sites
    private static final int MOST_PASSES = 4; // powers of two

    private CampaignProgram() {}

    /**
     * Prints a line for each violation, and a final line.
     *
     * @param arguments the seed, the number of runs, and optionally a failure for all runs
     */
    public static void main(String[] arguments) throws InterruptedException {
        var seed = Long.parseLong(arguments[0]);
        var runs = Integer.parseInt(arguments[1]);
        var hits = 0;
        var violations = List.<String>of();
        try (var service = EmbeddedService.open()) {
            for (var run = -FIRST_RUNS; run < runs && violations.isEmpty(); run++) {
                var random = new SplittableRandom(seed + run);
                var injection = run < 0 ? new Injection(Role.APPLICATION, Kind.INTERRUPT, -1, 1) : draw(random);
                if (run >= 0 && arguments.length > 2) {
                    injection = Injection.parse(arguments[2]);
                }
                violations = CampaignRun.violations(random, injection);
                for (var violation : violations) {
                    System.out.println("violation " + (seed + run) + " " + injection + " " + violation);
                }
                hits += injection.isOver() ? 1 : 0;
            }
        }
        System.out.println("hits " + hits);
        System.exit(0);
    }

    /** Draws a failure; one of four is on the engine thread. */
    private static Injection draw(SplittableRandom random) {
        var role = random.nextInt(4) == 0 ? Role.ENGINE : Role.APPLICATION;
        var sites = Injection.reached(role);
        var kind = role == Role.APPLICATION ? Kind.values()[random.nextInt(Kind.values().length)] : Kind.OUT_OF_MEMORY;
        return new Injection(
                role,
                kind,
                sites.get(random.nextInt(sites.size())),
                1 + random.nextInt(1 << random.nextInt(MOST_PASSES)));
    }
}
