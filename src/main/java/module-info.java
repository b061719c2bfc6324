// SPDX-License-Identifier: Apache-2.0
/**
 * Offloading from Java to DPUs through DOCA UROM, or to the software DOCA where there is none.
 *
 * <p><b>Start with {@link dev.jurom.Urom}</b>, which finds or opens a service and starts workers; the
 * page of {@link dev.jurom} has the first examples.
 *
 * <table>
 * <caption>Where to go on</caption>
 * <tr><th>For</th><th>Read</th></tr>
 * <tr><td>commands, domains and memory that others write to, from any thread</td>
 * <td>{@link dev.jurom}: examples and a map</td></tr>
 * <tr><td>commands of a plugin that you wrote</td>
 * <td>{@link dev.jurom.plugin}: codecs and offloads</td></tr>
 * <tr><td>a service for several programs or users</td><td>the module {@code dev.jurom.service}</td></tr>
 * <tr><td>processes that find each other</td><td>{@link dev.jurom.urom.exchange}</td></tr>
 * <tr><td>the objects of C, driven by a progress engine of the program's own</td>
 * <td>{@link dev.jurom.urom} and {@link dev.jurom.core}</td></tr>
 * <tr><td>the library that is in use: the vendor's or the software DOCA</td>
 * <td>{@link dev.jurom.runtime.DocaRuntime}</td></tr>
 * </table>
 *
 * <p>Native code is called through the foreign function interface of the JDK: start the JVM with
 * {@code --enable-native-access=dev.jurom}.
 */
@SuppressWarnings("module") // the command line is built after this
module dev.jurom {
    requires jdk.jfr;
    requires static org.jspecify; // what may be null; not transitive: nobody else needs it

    exports dev.jurom;
    exports dev.jurom.core;
    exports dev.jurom.counters to
            dev.jurom.cli,
            dev.jurom.service;
    exports dev.jurom.linux to
            dev.jurom.service;
    exports dev.jurom.plugin;
    exports dev.jurom.plugin.graph;
    exports dev.jurom.plugin.rdmo;
    exports dev.jurom.plugin.sandbox;
    exports dev.jurom.runtime;
    exports dev.jurom.runtime.internal to
            dev.jurom.cli,
            dev.jurom.service;
    exports dev.jurom.ucx to
            dev.jurom.service;
    exports dev.jurom.urom;
    exports dev.jurom.urom.exchange;

    uses dev.jurom.runtime.EmbeddedServiceProvider;
    uses dev.jurom.runtime.SoftwareBundle;
}
