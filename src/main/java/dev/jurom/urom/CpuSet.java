// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * An immutable set of CPUs, which are numbers from 0 to 1023. Stands for {@code doca_cpu_set_t}.
 *
 * <p>Its text form is a list of numbers and ranges, such as {@code 0-3,8}.
 */
public final class CpuSet {

    /** The number of CPUs that a set can contain: numbers are less than this. */
    public static final int CAPACITY = 1024;

    static final int WORDS = CAPACITY / Long.SIZE;

    private static final CpuSet EMPTY = new CpuSet(new long[WORDS]);

    private final long[] words;

    private CpuSet(long[] words) {
        this.words = words;
    }

    /**
     * Returns a set of CPUs.
     *
     * @param cpus the CPUs, each from 0 to 1023, in any order; duplicates are allowed
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
     * Returns the set of the CPUs in a range.
     *
     * @param first the first CPU, 0 to 1023
     * @param last the last CPU, inclusive, from {@code first} to 1023
     * @return the set
     * @throws IllegalArgumentException if a number is out of range, or {@code last} is less than
     *         {@code first}
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
     * Returns the empty set.
     *
     * @return the empty set
     */
    public static CpuSet empty() {
        return EMPTY;
    }

    /**
     * Parses the text form of a set, such as {@code 0-3,8}: the inverse of {@link #toString()}.
     *
     * @param text comma-separated numbers and ranges; empty for the empty set
     * @return the set
     * @throws IllegalArgumentException if {@code text} is malformed or a number is out of range
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
            throw new IllegalArgumentException(
                    "CPU " + cpu + " is out of range: a set can contain 0 to " + (CAPACITY - 1));
        }
        words[cpu / Long.SIZE] |= 1L << cpu;
    }

    /** Returns the set with the bits of {@code words}, lowest CPU first; the array is copied. */
    static CpuSet ofWords(long[] words) {
        return new CpuSet(Arrays.copyOf(words, WORDS));
    }

    /** Returns the bits of 64 CPUs, from {@code 64 * index} on. */
    long word(int index) {
        return words[index];
    }

    /**
     * Returns whether a CPU is in this set.
     *
     * @param cpu any number
     * @return false for numbers out of range
     */
    public boolean contains(int cpu) {
        return cpu >= 0 && cpu < CAPACITY && (words[cpu / Long.SIZE] >>> cpu & 1) != 0;
    }

    /**
     * Returns whether this set contains all CPUs of another.
     *
     * @param other the other set
     * @return true also if {@code other} is empty
     */
    public boolean containsAll(CpuSet other) {
        return IntStream.range(0, WORDS).allMatch(i -> (other.words[i] & ~words[i]) == 0);
    }

    /**
     * Returns the union of this set and another.
     *
     * @param other the other set
     * @return the CPUs that are in at least one of the sets
     */
    public CpuSet union(CpuSet other) {
        var result = words.clone();
        Arrays.setAll(result, i -> words[i] | other.words[i]);
        return new CpuSet(result);
    }

    /**
     * Returns the intersection of this set and another.
     *
     * @param other the other set
     * @return the CPUs that are in both sets
     */
    public CpuSet intersection(CpuSet other) {
        var result = words.clone();
        Arrays.setAll(result, i -> words[i] & other.words[i]);
        return new CpuSet(result);
    }

    /**
     * Returns the number of CPUs in this set.
     *
     * @return 0 to 1024
     */
    public int size() {
        return Arrays.stream(words).mapToInt(Long::bitCount).sum();
    }

    /**
     * Returns whether this set is empty.
     *
     * @return true if it contains no CPU
     */
    public boolean isEmpty() {
        return size() == 0;
    }

    /**
     * Returns the CPUs in this set.
     *
     * @return the numbers in ascending order
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

    /** Returns the text form, such as {@code 0-3,8}; empty for the empty set. */
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
