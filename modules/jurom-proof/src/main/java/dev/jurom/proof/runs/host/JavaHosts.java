// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.runs.plan.HostPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/**
 * A JVM whose threads are hosts of runs. It reads {@code host ...} lines, starts these hosts at {@code go},
 * prints {@code result ...} and {@code ended ...} for each host, and exits when its input is closed.
 */
public final class JavaHosts {

    private static volatile int lastRun;

    private JavaHosts() {}

    /** Reports an uncaught exception of a thread of the library or of a host as a violation. */
    private static void reportUncaught(Thread thread, Throwable failure) {
        failure.printStackTrace();
        System.out.println(
                "broken run=" + lastRun + " uncaught exception in thread " + thread.getName() + ": " + failure);
    }

    /** Executes the commands that it reads from the standard input. */
    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var plans = new ArrayList<HostPlan>();
        Thread.setDefaultUncaughtExceptionHandler(JavaHosts::reportUncaught);
        System.out.println("ready");
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals("go")) {
                var members = (int)
                        plans.stream().filter(plan -> plan.domain().isPresent()).count();
                var domain = Optional.of(members).filter(count -> count > 0).map(SharedDomain::of);
                plans.forEach(plan -> Thread.ofPlatform()
                        .inheritInheritableThreadLocals(false)
                        .name("host " + plan.number())
                        .start(() -> run(plan, domain)));
                plans.clear();
            } else {
                var plan = HostPlan.parse(line);
                lastRun = plan.run();
                plans.add(plan);
            }
        }
        Runtime.getRuntime().halt(0); // hosts that hang have been reported
    }

    private static void run(HostPlan plan, Optional<SharedDomain> domain) {
        var results = new ResultRecorder(plan);
        try {
            new FacadeHost(plan, domain.filter(shared -> plan.domain().isPresent()), results).run();
        } catch (InterruptedException | RuntimeException | Error e) {
            results.error(0, "host", e);
            results.notIdle();
            e.printStackTrace();
        }
        domain.ifPresent(shared -> plan.domain().ifPresent(member -> shared.leave(member.index())));
        System.out.println(results.lines() + "\nended run=" + plan.run() + " number=" + plan.number() + " status=0");
    }
}
