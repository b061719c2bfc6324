// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * A JVM whose threads are hosts of runs. It reads {@code host ...} lines, begins with what it has
 * read at {@code go}, prints {@code result ...} and {@code ended ...} for each host, and ends with
 * its input.
 */
public final class JavaHosts {

    private static volatile int lastRun;

    private JavaHosts() {}

    /** Of the library, or of a host: none may end so. */
    private static void tellDeath(Thread thread, Throwable failure) {
        failure.printStackTrace();
        System.out.println("broken run=" + lastRun + " the thread " + thread.getName() + " has died of " + failure);
    }

    /** Obeys its standard input. */
    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var plans = new ArrayList<HostPlan>();
        Thread.setDefaultUncaughtExceptionHandler(JavaHosts::tellDeath);
        System.out.println("ready");
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals("go")) {
                plans.forEach(plan ->
                        Thread.ofPlatform().name("host " + plan.number()).start(() -> run(plan)));
                plans.clear();
            } else {
                var plan = HostPlan.parse(line);
                lastRun = plan.run();
                plans.add(plan);
            }
        }
        Runtime.getRuntime().halt(0); // hosts that hang have been told of
    }

    private static void run(HostPlan plan) {
        var notes = new Notes(plan);
        try {
            if (plan.kind() == HostKind.FACADE) {
                new FacadeHost(plan, notes).run();
            } else {
                new ExplicitHost(plan, notes).run();
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            notes.refused("host", e);
            notes.notIdle();
            e.printStackTrace();
        }
        System.out.println(
                notes.result().line() + "\nended run=" + plan.run() + " number=" + plan.number() + " status=0");
    }
}
