// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.process.ChildProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A host process. The argument is the id of its worker. It runs until its input is closed. */
final class HostMain {

    private static volatile boolean stops;

    private HostMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        var workload = new HostWorkload(Long.parseLong(arguments[0]));
        Thread.ofPlatform().name("input").daemon().start(() -> answer(workload));
        workload.run(() -> stops);
    }

    private static void answer(HostWorkload workload) {
        try (var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            while (input.readLine() != null) {
                workload.print();
                System.out.println(ChildProgram.END);
            }
        } catch (IOException e) {
            // The input is closed.
        } finally {
            stops = true;
        }
    }
}
