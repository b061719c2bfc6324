// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plugin that a service offers. Instances are immutable. */
public final class OfferedPlugin {

    private final long id;
    private final long version;
    private final String name;
    private final Path file;

    /**
     * Creates a description. For the service; later releases may add parameters.
     *
     * @param id one distinct bit
     * @param version the version that the plugin reports
     * @param name the name of the plugin
     * @param file its file
     */
    public OfferedPlugin(long id, long version, String name, Path file) {
        this.id = id;
        this.version = version;
        this.name = name;
        this.file = file;
    }

    /**
     * Returns the plugin's id.
     *
     * @return one distinct bit
     */
    public long id() {
        return id;
    }

    /**
     * Returns the version that the plugin reports.
     *
     * @return an unsigned number
     */
    public long version() {
        return version;
    }

    /**
     * Returns the name of its file without {@code .so}.
     *
     * @return the name by which hosts find the plugin
     */
    public String name() {
        return name;
    }

    /**
     * Returns its shared library.
     *
     * @return an absolute path
     */
    public Path file() {
        return file;
    }

    private List<Object> values() {
        return List.of(id, version, name, file);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof OfferedPlugin that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "OfferedPlugin[id=" + id + ", version=" + version + ", name=" + name + ", file=" + file + "]";
    }
}
