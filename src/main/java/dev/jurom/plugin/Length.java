// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The length of a record component that {@link StructCodec#ofRecord(Class)} packs into a fixed array of a C struct:
 * the number of elements of an array, or the capacity of a text in bytes, which includes the NUL that terminates it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Length {

    /**
     * Returns the length.
     *
     * @return the number of elements or bytes, at least 1
     */
    int value();
}
