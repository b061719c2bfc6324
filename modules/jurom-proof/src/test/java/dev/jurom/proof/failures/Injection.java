// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A failure at a call site in the woven classes of the facade, which call {@link #reach}.
 *
 * @param role the role of the failing thread
 * @param kind the kind of failure
 * @param site the number of the call site
 * @param pass the pass on which the failure occurs, where threads of the role reach the site once per pass;
 *     starts at 1
 */
public record Injection(Role role, Kind kind, int site, int pass) {

    /** The threads that reach a site. */
    enum Role {
        APPLICATION,
        ENGINE,
        COMPLETION;

        static Role of(Thread thread) {
            var name = thread.getName();
            return name.equals("urom") ? ENGINE : name.startsWith("urom-completion-") ? COMPLETION : APPLICATION;
        }
    }

    /** The kind of failure. */
    enum Kind {
        OUT_OF_MEMORY,
        NO_CLASS,
        INITIALIZER,
        INTERRUPT;

        private void occur() {
            switch (this) {
                case OUT_OF_MEMORY -> throw new OutOfMemoryError(MESSAGE);
                case NO_CLASS -> throw new NoClassDefFoundError(MESSAGE);
                case INITIALIZER -> throw new ExceptionInInitializerError(MESSAGE);
                case INTERRUPT -> Thread.currentThread().interrupt();
            }
        }
    }

    /** No failure. */
    static final Injection NONE = new Injection(Role.APPLICATION, Kind.INTERRUPT, -1, 1);

    private static final String MESSAGE = "injected";
    private static final int MAX_SITES = 10_000;

    private static final byte[] REACHED = new byte[MAX_SITES]; // bits of roles
    private static final AtomicInteger PASSES = new AtomicInteger(); // of the armed failure
    private static volatile Injection armed = NONE;
    private static volatile Thread victim; // null: any thread of the role
    private static volatile boolean occurred; // the failure armed last has occurred

    /** Arms this failure for the given application thread, or for all threads of another role. */
    void arm(Thread ofApplication) {
        PASSES.set(0);
        occurred = false;
        victim = role == Role.APPLICATION ? ofApplication : null;
        armed = this;
    }

    static void disarm() {
        armed = NONE;
    }

    /** Returns whether the current thread is the application thread that fails. */
    static boolean isVictim() {
        return victim == Thread.currentThread();
    }

    /** Returns whether the failure that was armed last has occurred. */
    static boolean hasOccurred() {
        return occurred;
    }

    /** Returns the sites that threads of a role have reached so far. */
    static List<Integer> reached(Role role) {
        return IntStream.range(0, MAX_SITES)
                .filter(site -> (REACHED[site] & 1 << role.ordinal()) != 0)
                .boxed()
                .toList();
    }

    /** Called by woven classes when the current thread reaches a site. */
    public static void reach(int site) {
        var thread = Thread.currentThread();
        var role = Role.of(thread);
        REACHED[site] |= (byte) (1 << role.ordinal());
        var injection = armed;
        if (injection.site == site
                && injection.role == role
                && (victim == null || victim == thread)
                && PASSES.incrementAndGet() == injection.pass) {
            occurred = true;
            injection.kind.occur();
        }
    }

    /** Returns whether a failure or one of its causes was injected. */
    static boolean isCauseOf(Throwable failure) {
        return failure != null && (MESSAGE.equals(failure.getMessage()) || isCauseOf(failure.getCause()));
    }

    @Override
    public String toString() {
        return role + ":" + kind + ":" + site + ":" + pass;
    }

    /** Parses the output of {@link #toString}. */
    static Injection parse(String text) {
        var parts = text.split(":");
        return new Injection(
                Role.valueOf(parts[0]), Kind.valueOf(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
    }
}
