// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.HelpCommand;
import dev.jurom.cli.shell.Interruption;
import dev.jurom.plugin.StructCodec;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code urom plugin}: creates and packages worker plugins, and runs services with plugins. */
@Command(
        name = "plugin",
        synopsisSubcommandLabel = "COMMAND",
        description = "Creates and packages worker plugins, and runs private services with plugins.",
        subcommands = {HelpCommand.class, PluginNewCommand.class})
final class PluginCommand {

    private static final long PAUSE_MILLIS = 100;

    @Spec
    private CommandSpec spec;

    @Command(
            name = "package",
            description = "Writes a plugin in Java to a folder, which UROM_PLUGIN_PATH of a service can name:"
                    + " the library that runs it in a worker, its jars, and a properties file with the JDK of"
                    + " this command. The folder can be copied to machines with the same JDK.")
    void pack(
            @Option(
                            names = "--jar",
                            paramLabel = "FILE",
                            required = true,
                            description = "Jar, or folder of classes, of the plugin; may be repeated.")
                    List<Path> jars,
            @Option(
                            names = "--class",
                            paramLabel = "NAME",
                            required = true,
                            description = "Class that implements dev.jurom.worker.WorkerPlugin.")
                    String className,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "DIR",
                            required = true,
                            description = "Folder of the plugin. Files of the same plugin are replaced.")
                    Path folder,
            @Option(
                            names = "--jvm-options",
                            paramLabel = "OPTIONS",
                            defaultValue = PluginFolder.DEFAULT_OPTIONS,
                            description = "Options of the JVM, separated by blanks (default: ${DEFAULT-VALUE}).")
                    String options,
            @Option(
                            names = "--train",
                            description = "Also create an AOT cache, which shortens the start of a worker; requires"
                                    + " JDK 25 or later.")
                    boolean train)
            throws IOException, InterruptedException {
        requireExisting(jars);
        var name = PluginFolder.pack(folder, className, jars, options);
        print(folder.resolve(name + ".so").toString());
        if (train) {
            print(PluginFolder.train(folder, name).toString());
        }
    }

    @Command(
            name = "header",
            description = "Prints the C structs of the messages of a plugin, which are records in Java that"
                    + " StructCodec.ofRecord packs.")
    void header(
            @Option(
                            names = "--jar",
                            paramLabel = "FILE",
                            required = true,
                            description = "Jar, or folder of classes, of the records; may be repeated.")
                    List<Path> jars,
            @Option(
                            names = "--class",
                            paramLabel = "NAME",
                            required = true,
                            description = "Record class; may be repeated.")
                    List<String> classNames)
            throws IOException {
        requireExisting(jars);
        var urls = new URL[jars.size()];
        for (var i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        var declarations = new LinkedHashSet<String>();
        try (var loader = new URLClassLoader(urls, PluginCommand.class.getClassLoader())) {
            for (var name : classNames) {
                declarations.addAll(
                        StructCodec.ofRecord(Class.forName(name, false, loader).asSubclass(Record.class))
                                .declarations());
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new CommandFailure(
                    ExitCode.FILE, "The jars lack the class " + e.getMessage() + ": add its jar by --jar");
        } catch (ClassCastException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, e.getMessage() + ": --class must name records with a form in C");
        }
        print("#include <stdint.h>\n\n" + String.join("\n", declarations).stripTrailing());
    }

    private static void requireExisting(List<Path> jars) {
        for (var jar : jars) {
            if (!Files.exists(jar)) {
                throw new CommandFailure(ExitCode.FILE, jar + " does not exist: --jar must name a jar or a folder");
            }
        }
    }

    @Command(
            name = "run",
            description = "Runs a private service with the plugins of a folder until it is interrupted. Prints the"
                    + " variable by which other programs of this user find it.")
    void run(@Parameters(paramLabel = "DIR", description = "Folder of plugins.") Path folder)
            throws InterruptedException {
        if (!Files.isDirectory(folder)) {
            throw new CommandFailure(ExitCode.FILE, folder + " is not a folder of plugins");
        }
        var interruption = Interruption.watch();
        try (var service =
                EmbeddedService.open(usual -> usual.toBuilder().plugins(folder).build())) {
            print("export " + ServiceFile.VARIABLE + "=" + service.serviceFile());
            while (!interruption.isWanted()) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
