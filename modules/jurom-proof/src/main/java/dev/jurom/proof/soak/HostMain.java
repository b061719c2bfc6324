// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.process.ChildProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A host as a process: its argument is its worker's id. It lives until its input ends. */
final class HostMain {

    private static volatile boolean stops;

    private HostMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        var life = new HostLife(Long.parseLong(arguments[0]));
        Thread.ofPlatform().name("orders").daemon().start(() -> answer(life));
        life.live(() -> stops);
    }

    private static void answer(HostLife life) {
        try (var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            while (input.readLine() != null) {
                life.look();
                System.out.println(ChildProgram.END);
            }
        } catch (IOException e) {
            // It has ended.
        } finally {
            stops = true;
        }
    }
}
