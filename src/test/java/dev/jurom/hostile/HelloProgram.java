// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.fixture.ServiceFixture;

/** Sends one command. */
public final class HelloProgram {

    private HelloProgram() {}

    /** Prints hello after a command was answered. */
    public static void main(String[] arguments) {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            System.out.println(ServiceFixture.loopback(task, 1) == 1 ? "hello" : "wrong");
        }
    }
}
