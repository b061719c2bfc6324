// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ProcessSockets;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.DocaRuntime;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** Loads DOCA and then UCX, and prints the process-wide effects of each. */
public final class UcxLoadingProgram {

    private static final long OWN = ProcessHandle.current().pid();
    private static final int PROGRESSES = 1_000_000;

    private UcxLoadingProgram() {}

    /**
     * Runs the program. With the property {@code intruder}, that program sends datagrams to the sockets of
     * this process. With the property {@code stay}, this program waits for a signal at the end.
     */
    public static void main(String[] arguments) throws InterruptedException {
        DocaRuntime.current();
        System.out.println("libraries of the DOCA: " + ProcessState.ucxLibraries());
        var code = ProcessState.ownCodeOfTheCLibrary();
        var threads = ProcessState.threads();
        var sockets = ProcessSockets.all(OWN);
        var masks = ProcessState.signalMasks();
        var actions = new HashMap<>(ProcessState.signalActions());
        try (var context = UcxContext.open(EnumSet.allOf(UcxFeature.class), UcxTransports.settings())) {
            System.out.println("libraries of a context: " + ProcessState.ucxLibraries());
            System.out.println("sockets of a context: " + added(sockets, ProcessSockets.all(OWN)));
            printThreadsBeside(threads);
            System.out.println("rewritten code: " + (ProcessState.ownCodeOfTheCLibrary() - code) + " KiB");
            try (var worker = context.createWorker()) {
                worker.progress();
                System.out.println("internet sockets: " + ProcessSockets.internet(OWN));
                System.out.println("same masks: " + masks.equals(ProcessState.signalMasks()));
                actions.entrySet().removeAll(ProcessState.signalActions().entrySet());
                System.out.println("changed signals: " + actions.keySet());
                intrude(worker);
                if (Boolean.getBoolean("stay")) {
                    stay();
                }
            }
        }
    }

    /** Progresses the worker many times, because UCX polls its sockets only occasionally. */
    private static void intrude(UcxWorker worker) {
        var intruder = System.getProperty("intruder");
        if (intruder == null) {
            return;
        }
        for (var socket : ProcessSockets.abstractUnix(OWN)) {
            System.out.print(Command.run(intruder, "datagrams", socket.substring("datagram @".length())));
            for (var i = 0; i < PROGRESSES; i++) {
                worker.progress();
            }
            System.out.println("goes on");
        }
    }

    private static void stay() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the JVM ends in order")));
        System.out.println("stays");
        new CountDownLatch(1).await();
    }

    private static void printThreadsBeside(Set<String> before) {
        Waiting.until(
                "the thread that loaded UCX has ended",
                () -> ProcessState.threads().stream().noneMatch(thread -> thread.contains("jurom-ucx")));
        System.out.println("threads of a context: " + added(before, ProcessState.threads()));
    }

    private static Set<String> added(Set<String> before, Set<String> after) {
        var added = new TreeSet<>(after);
        added.removeAll(before);
        return added;
    }
}
