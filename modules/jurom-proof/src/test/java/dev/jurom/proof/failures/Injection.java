// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A failure of one thread at a call site of the facade's classes, called by woven classes. */
public final class Injection {

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
        STACK_OVERFLOW,
        OUT_OF_MEMORY,
        NO_CLASS,
        INITIALIZER,
        INTERRUPT;

        void strike() {
            switch (this) {
                case STACK_OVERFLOW -> throw new StackOverflowError(MESSAGE);
                case OUT_OF_MEMORY -> throw new OutOfMemoryError(MESSAGE);
                case NO_CLASS -> throw new NoClassDefFoundError(MESSAGE);
                case INITIALIZER -> throw new ExceptionInInitializerError(MESSAGE);
                case INTERRUPT -> Thread.currentThread().interrupt();
            }
        }
    }

    private static final String MESSAGE = "injected";
    private static final int MAX_SITES = 10_000;

    private static final byte[] REACHED = new byte[MAX_SITES]; // bits of roles
    private static volatile Injection armed;

    private final Role role;
    private final Kind kind;
    private final int site;
    private final int pass;
    private final AtomicInteger passes = new AtomicInteger();
    private volatile Thread victim;

    /**
     * Creates a failure.
     *
     * @param role the role of the failing thread
     * @param kind the kind of failure
     * @param site the number of the call site
     * @param pass the failure occurs when threads of the role reach the site for this time, counted from 1
     */
    Injection(Role role, Kind kind, int site, int pass) {
        this.role = role;
        this.kind = kind;
        this.site = site;
        this.pass = pass;
    }

    Role role() {
        return role;
    }

    Kind kind() {
        return kind;
    }

    /** Arms this failure for the given application thread, or for all threads of another role. */
    void arm(Thread ofApplication) {
        victim = role == Role.APPLICATION ? ofApplication : null;
        armed = this;
    }

    static void disarm() {
        armed = null;
    }

    /** Returns whether this failure is armed for the current thread. */
    boolean isVictim() {
        return victim == Thread.currentThread();
    }

    /** Returns whether the failure has occurred. */
    boolean isOver() {
        return passes.get() >= pass;
    }

    /** Returns the sites that threads of a role have reached so far. */
    static List<Integer> reached(Role role) {
        return IntStream.range(0, MAX_SITES)
                .filter(site -> (REACHED[site] & 1 << role.ordinal()) != 0)
                .boxed()
                .toList();
    }

    /**
     * Called when the current thread reaches a site.
     *
     * @param site the number of the site
     */
    public static void reach(int site) {
        var thread = Thread.currentThread();
        var role = Role.of(thread);
        REACHED[site] |= (byte) (1 << role.ordinal());
        var injection = armed;
        if (injection != null
                && injection.site == site
                && injection.role == role
                && (injection.victim == null || injection.victim == thread)
                && injection.passes.incrementAndGet() == injection.pass) {
            injection.kind.strike();
        }
    }

    /** Returns whether a failure or one of its causes was injected. */
    static boolean isCauseOf(Throwable failure) {
        for (var e = failure; e != null; e = e.getCause()) {
            if (MESSAGE.equals(e.getMessage())) {
                return true;
            }
        }
        return false;
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
