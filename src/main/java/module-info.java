// SPDX-License-Identifier: Apache-2.0
/**
 * Offloads work from Java to DPUs through DOCA UROM, or to the software DOCA on machines without a
 * DPU.
 *
 * <p><b>Start with {@link dev.jurom.Urom}</b>, which finds or opens a service and starts workers; the
 * page of {@link dev.jurom} has the first examples.
 *
 * <table>
 * <caption>Packages by task</caption>
 * <tr><th>Task</th><th>Package</th></tr>
 * <tr><td>commands, domains and memory for remote writes, from any thread</td>
 * <td>{@link dev.jurom}: examples and an overview</td></tr>
 * <tr><td>commands of your own plugin</td>
 * <td>{@link dev.jurom.plugin}: codecs and offloads</td></tr>
 * <tr><td>a plugin in Java</td><td>the module {@code dev.jurom.worker}</td></tr>
 * <tr><td>a service for several programs or users</td><td>the module {@code dev.jurom.service}</td></tr>
 * <tr><td>exchanging data between the processes of a job</td>
 * <td>{@link dev.jurom.urom.exchange}</td></tr>
 * <tr><td>the objects of C, with your own progress engine</td>
 * <td>{@link dev.jurom.urom} and {@link dev.jurom.core}</td></tr>
 * <tr><td>the kind of the native libraries: of the vendor or the software DOCA</td>
 * <td>{@link dev.jurom.runtime.DocaRuntime}</td></tr>
 * </table>
 *
 * <p>Native code is called through the foreign function interface of the JDK: start the JVM with
 * {@code --enable-native-access=dev.jurom}.
 */
@SuppressWarnings("module") // the command line tool is built later
module dev.jurom {
    requires static jdk.jfr; // events are recorded where the Java runtime has it
    requires static org.jspecify; // nullness annotations, which other modules do not need

    exports dev.jurom;
    exports dev.jurom.abi.posix to
            dev.jurom.service;
    exports dev.jurom.core;
    exports dev.jurom.core.internal to
            dev.jurom.service;
    exports dev.jurom.plugin;
    exports dev.jurom.plugin.graph;
    exports dev.jurom.plugin.internal to
            dev.jurom.testing,
            dev.jurom.worker;
    exports dev.jurom.plugin.rdmo;
    exports dev.jurom.plugin.sandbox;
    exports dev.jurom.runtime;
    exports dev.jurom.runtime.internal to
            dev.jurom.cli,
            dev.jurom.service,
            dev.jurom.worker;
    exports dev.jurom.ucx to
            dev.jurom.service;
    exports dev.jurom.urom;
    exports dev.jurom.urom.exchange;

    uses dev.jurom.runtime.EmbeddedServiceProvider;
    uses dev.jurom.runtime.SoftwareBundle;
}
