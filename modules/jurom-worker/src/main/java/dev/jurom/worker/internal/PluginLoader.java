// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.worker.WorkerPlugin;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of a plugin apart from those of other plugins. Only the classes of jurom are
 * shared.
 */
public final class PluginLoader extends URLClassLoader {

    private static final String NOT_PUBLIC =
            " cannot be created: it must be public, with a public constructor without parameters";
    private static final ClassLoader JUROM = PluginLoader.class.getClassLoader();

    /** Thrown when the class of a plugin cannot be used; the message states the reason. */
    public static final class LoadException extends Exception {

        private static final long serialVersionUID = 1;

        LoadException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Creates a loader.
     *
     * @param classPath jars and folders
     */
    public PluginLoader(List<Path> classPath) {
        super(urls(classPath), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls(List<Path> classPath) {
        var urls = new ArrayList<URL>();
        for (var path : classPath) {
            try {
                urls.add(path.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new AssertionError("a file has a URL", e);
            }
        }
        return urls.toArray(URL[]::new);
    }

    /** Returns the loader of a class path; null for that of the JVM. */
    static ClassLoader of(@Nullable String classPath) {
        if (classPath == null) {
            return JUROM;
        }
        var paths = new ArrayList<Path>();
        for (var entry : classPath.split(":")) {
            paths.add(Path.of(entry));
        }
        return new PluginLoader(paths);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith("dev.jurom.")) {
            try {
                return JUROM.loadClass(name);
            } catch (ClassNotFoundException e) {
                // The class belongs to a plugin.
            }
        }
        return super.findClass(name);
    }

    /**
     * Creates a plugin.
     *
     * @param className the name of its class
     * @param loader finds the class
     * @return a plugin that is not open
     * @throws LoadException if there is no such class, or it is not a plugin
     */
    public static WorkerPlugin load(String className, ClassLoader loader) throws LoadException {
        var type = find(className, loader);
        try {
            if (!WorkerPlugin.class.isAssignableFrom(type)) {
                throw new LoadException(
                        className + " is not a plugin: it must implement " + WorkerPlugin.class.getName(), null);
            }
            return (WorkerPlugin) type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new LoadException("the constructor of " + className + " failed: " + e.getCause(), e);
        } catch (IllegalAccessException e) {
            throw new LoadException(notAccessible(type), e);
        } catch (ReflectiveOperationException e) {
            throw new LoadException(className + NOT_PUBLIC, e);
        }
    }

    private static Class<?> find(String className, ClassLoader loader) throws LoadException {
        try {
            return Class.forName(className, true, loader);
        } catch (ClassNotFoundException e) {
            throw new LoadException("there is no class " + className + " in the class path of the plugin", e);
        }
    }

    private static String notAccessible(Class<?> type) {
        var module = type.getModule();
        return module.isExported(type.getPackageName(), PluginLoader.class.getModule())
                ? type.getName() + NOT_PUBLIC
                : "the module " + module.getName() + " does not export the package of " + type.getName()
                        + ": add \"exports " + type.getPackageName() + " to dev.jurom.worker;\" to its declaration";
    }
}
