// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A set of CPUs, each a number from 0 to 1023. An immutable value; stands for
 * {@code doca_cpu_set_t}.
 *
 * <p>In text it is a list of numbers and ranges, such as {@code 0-3,8}.
 */
public final class CpuSet {

    /** How many CPUs a set can tell apart: numbers run from 0 to this, exclusive. */
    public static final int CAPACITY = 1024;

    static final int WORDS = CAPACITY / Long.SIZE;

    private static final CpuSet EMPTY = new CpuSet(new long[WORDS]);

    private final long[] words;

    private CpuSet(long[] words) {
        this.words = words;
    }

    /**
     * A set of the given CPUs.
     *
     * @param cpus each from 0 to 1023, in any order, repetitions allowed
     * @return the set
     * @throws IllegalArgumentException if a number is out of range
     */
    public static CpuSet of(int... cpus) {
        var words = new long[WORDS];
        for (var cpu : cpus) {
            add(words, cpu);
        }
        return new CpuSet(words);
    }

    /**
     * The CPUs from one number to another.
     *
     * @param first the first, from 0 to 1023
     * @param last the last, inclusive, from {@code first} to 1023
     * @return the set
     * @throws IllegalArgumentException if a number is out of range, or the last before the first
     */
    public static CpuSet range(int first, int last) {
        if (last < first) {
            throw new IllegalArgumentException("A range of CPUs cannot end at " + last + ", before its start " + first);
        }
        var words = new long[WORDS];
        for (var cpu = first; cpu <= last; cpu++) {
            add(words, cpu);
        }
        return new CpuSet(words);
    }

    /**
     * The set without any CPU.
     *
     * @return the empty set
     */
    public static CpuSet empty() {
        return EMPTY;
    }

    /**
     * Reads a set from text such as {@code 0-3,8}, the inverse of {@link #toString()}.
     *
     * @param text numbers and ranges between commas; the empty text is the empty set
     * @return the set
     * @throws IllegalArgumentException if the text is malformed or a number out of range
     */
    public static CpuSet parse(String text) {
        var words = new long[WORDS];
        if (!text.isBlank()) {
            for (var part : text.split(",", -1)) {
                parsePart(words, text, part.strip());
            }
        }
        return new CpuSet(words);
    }

    private static void parsePart(long[] words, String text, String part) {
        var dash = part.indexOf('-');
        try {
            var first = Integer.parseUnsignedInt(dash < 0 ? part : part.substring(0, dash));
            var last = dash < 0 ? first : Integer.parseUnsignedInt(part.substring(dash + 1));
            var range = range(first, last);
            for (var i = 0; i < WORDS; i++) {
                words[i] |= range.words[i];
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a set of CPUs: \"" + part
                            + "\" is neither a number nor a range such as 0-3",
                    e);
        }
    }

    private static void add(long[] words, int cpu) {
        if (cpu < 0 || cpu >= CAPACITY) {
            throw new IllegalArgumentException("CPU " + cpu + " is out of range: a set holds 0 to " + (CAPACITY - 1));
        }
        words[cpu / Long.SIZE] |= 1L << cpu;
    }

    /** The set whose bits are {@code words}, lowest CPU first; the array is copied. */
    static CpuSet ofWords(long[] words) {
        return new CpuSet(Arrays.copyOf(words, WORDS));
    }

    /** 64 CPUs' bits: those from {@code 64 * index} on. */
    long word(int index) {
        return words[index];
    }

    /**
     * Whether a CPU is in this set.
     *
     * @param cpu any number
     * @return false for numbers out of range
     */
    public boolean contains(int cpu) {
        return cpu >= 0 && cpu < CAPACITY && (words[cpu / Long.SIZE] >>> cpu & 1) != 0;
    }

    /**
     * Whether all CPUs of another set are in this one.
     *
     * @param other the other set
     * @return true also when {@code other} is empty
     */
    public boolean containsAll(CpuSet other) {
        return IntStream.range(0, WORDS).allMatch(i -> (other.words[i] & ~words[i]) == 0);
    }

    /**
     * The CPUs that are in this set, in another, or in both.
     *
     * @param other the other set
     * @return the union
     */
    public CpuSet union(CpuSet other) {
        var result = words.clone();
        Arrays.setAll(result, i -> words[i] | other.words[i]);
        return new CpuSet(result);
    }

    /**
     * The CPUs that are in both this set and another.
     *
     * @param other the other set
     * @return the intersection
     */
    public CpuSet intersection(CpuSet other) {
        var result = words.clone();
        Arrays.setAll(result, i -> words[i] & other.words[i]);
        return new CpuSet(result);
    }

    /**
     * How many CPUs are in this set.
     *
     * @return 0 to 1024
     */
    public int size() {
        return Arrays.stream(words).mapToInt(Long::bitCount).sum();
    }

    /**
     * Whether this set holds no CPU.
     *
     * @return true if it is empty
     */
    public boolean isEmpty() {
        return size() == 0;
    }

    /**
     * The numbers of the CPUs in this set.
     *
     * @return in ascending order
     */
    public IntStream cpus() {
        return IntStream.range(0, CAPACITY).filter(this::contains);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && Arrays.equals(words, set.words);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(words));
    }

    /** The CPUs as numbers and ranges, such as {@code 0-3,8}; empty for the empty set. */
    @Override
    public String toString() {
        var parts = new ArrayList<String>();
        for (var cpu = 0; cpu < CAPACITY; cpu++) {
            if (contains(cpu)) {
                var first = cpu;
                while (contains(cpu + 1)) {
                    cpu++;
                }
                parts.add(first == cpu ? "" + cpu : first + "-" + cpu);
            }
        }
        return String.join(",", parts);
    }
}
