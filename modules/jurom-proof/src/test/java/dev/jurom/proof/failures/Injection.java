// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** One failure of one thread, at a call site of the facade's classes. Woven classes call this. */
public final class Injection {

    /** Which threads reach a site. */
    enum Role {
        APPLICATION,
        ENGINE,
        COMPLETION;

        static Role of(Thread thread) {
            var name = thread.getName();
            return name.equals("urom") ? ENGINE : name.startsWith("urom-completion-") ? COMPLETION : APPLICATION;
        }
    }

    /** What happens to the thread. */
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
     * Makes a failure.
     *
     * @param role the threads that it may hit
     * @param kind what happens
     * @param site where
     * @param pass when: the number of times that such a thread reaches the site
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

    /** Arms this: for one thread of the application, or for all of another role. */
    void arm(Thread ofApplication) {
        victim = role == Role.APPLICATION ? ofApplication : null;
        armed = this;
    }

    static void disarm() {
        armed = null;
    }

    /** Whether this is armed for the current thread. */
    boolean isVictim() {
        return victim == Thread.currentThread();
    }

    /** Whether the failure has happened. */
    boolean isOver() {
        return passes.get() >= pass;
    }

    /** The sites that threads of a role have reached so far. */
    static List<Integer> reached(Role role) {
        return IntStream.range(0, MAX_SITES)
                .filter(site -> (REACHED[site] & 1 << role.ordinal()) != 0)
                .boxed()
                .toList();
    }

    /**
     * The current thread is at a site.
     *
     * @param site its number
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

    /** Whether a failure, or what caused it, was injected. */
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

    /** Reads what {@link #toString} writes. */
    static Injection parse(String text) {
        var parts = text.split(":");
        return new Injection(
                Role.valueOf(parts[0]), Kind.valueOf(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
    }
}
