// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.DocaRuntime;
import java.util.EnumSet;
import java.util.concurrent.locks.LockSupport;

/** Opens UCX when no further thread can be created, and prints the failure. */
public final class ThreadLimitProgram {

    private ThreadLimitProgram() {}

    public static void main(String[] arguments) {
        DocaRuntime.current();
        UcxLibrary.load();
        try {
            while (true) {
                var thread = new Thread(LockSupport::park);
                thread.setDaemon(true);
                thread.start();
            }
        } catch (OutOfMemoryError e) {
            try (var context = UcxContext.open(EnumSet.allOf(UcxFeature.class), UcxTransports.settings());
                    var worker = context.createWorker()) {
                System.out.println("opened " + worker);
            } catch (UcxException refusal) {
                System.out.println("refused: " + refusal.getMessage());
            }
        }
        Runtime.getRuntime().halt(0); // an orderly exit requires threads
    }
}
