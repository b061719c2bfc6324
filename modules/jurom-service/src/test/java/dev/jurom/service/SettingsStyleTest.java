// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jurom.IdleStrategy;
import dev.jurom.UromConfiguration;
import dev.jurom.WorkerConfiguration;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.settings.WorkerSettings;
import dev.jurom.urom.CpuSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each setting of each configuration passes through its builder and {@code toBuilder}. */
class SettingsStyleTest {

    /** Default settings, their copy, and changes of each setting. */
    record Style<T>(T usual, UnaryOperator<T> copy, List<UnaryOperator<T>> changes) {

        @Override
        public String toString() {
            return usual.getClass().getSimpleName();
        }
    }

    static Stream<Style<?>> styles() {
        return Stream.of(limits(), workers(), logs(), remote(), daemon(), urom(), worker());
    }

    private static Style<Limits> limits() {
        return new Style<>(
                Limits.DEFAULT,
                limits -> limits.toBuilder().build(),
                List.of(
                        limits -> limits.toBuilder().connections(1).build(),
                        limits -> limits.toBuilder().connectionsPerUser(2).build(),
                        limits -> limits.toBuilder().unauthenticated(3).build(),
                        limits -> limits.toBuilder()
                                .handshake(Duration.ofMillis(4))
                                .build(),
                        limits -> limits.toBuilder().workers(5).build(),
                        limits -> limits.toBuilder().workersPerUser(6).build(),
                        limits -> limits.toBuilder().environmentBytes(7).build(),
                        limits -> limits.toBuilder().environmentStrings(8).build(),
                        limits -> limits.toBuilder().references(9).build()));
    }

    private static Style<WorkerSettings> workers() {
        return new Style<>(
                WorkerSettings.of(Path.of("/worker")),
                settings -> settings.toBuilder().build(),
                List.of(
                        settings -> settings.toBuilder().memory(1).build(),
                        settings -> settings.toBuilder().files(2).build(),
                        settings -> settings.toBuilder().tasks(3).build(),
                        settings -> settings.toBuilder().tasksPerUser(4).build(),
                        settings ->
                                settings.toBuilder().hangTimeout(Duration.ZERO).build(),
                        settings ->
                                settings.toBuilder().busyTimeout(Duration.ZERO).build(),
                        settings ->
                                settings.toBuilder().cores(Path.of("/cores")).build(),
                        settings -> settings.toBuilder().pluginTransports("tcp").build()));
    }

    private static Style<LogSettings> logs() {
        return new Style<>(
                LogSettings.DEFAULT,
                settings -> settings.toBuilder().build(),
                List.of(
                        settings ->
                                settings.toBuilder().directory(Path.of("/logs")).build(),
                        settings -> settings.toBuilder().level(LogLevel.DEBUG).build(),
                        settings ->
                                settings.toBuilder().workerLevel(LogLevel.INFO).build(),
                        settings -> settings.toBuilder().maxSize(4096).build(),
                        settings -> settings.toBuilder().maxFiles(1).build()));
    }

    private static Style<RemoteAccess> remote() {
        return new Style<>(
                RemoteAccess.of(Path.of("/key"), Path.of("/hosts")),
                access -> access.toBuilder().build(),
                List.of(
                        access ->
                                access.toBuilder().allowedVariables(Set.of("A")).build(),
                        access -> access.toBuilder().firstPort(1).lastPort(2).build(),
                        access -> access.toBuilder().offersUcx(true).build()));
    }

    private static Style<DaemonConfiguration> daemon() {
        return new Style<>(
                DaemonConfiguration.builder(Path.of("/worker"), List.of()).build(),
                configuration -> configuration.toBuilder().build(),
                List.of(
                        configuration -> configuration.toBuilder()
                                .users(DaemonConfiguration.Users.ALL)
                                .build(),
                        configuration -> configuration.toBuilder()
                                .remote(remote().usual())
                                .build(),
                        configuration ->
                                configuration.toBuilder().maxMessageSize(8192).build(),
                        configuration -> configuration.toBuilder().cores(1).build(),
                        configuration -> configuration.toBuilder()
                                .plugins(Path.of("/plugins"))
                                .build(),
                        configuration -> configuration.toBuilder()
                                .limits(Limits.builder().workers(5).build())
                                .build(),
                        configuration -> configuration.toBuilder()
                                .logs(LogSettings.builder().maxFiles(1).build())
                                .build()));
    }

    private static Style<UromConfiguration> urom() {
        return new Style<>(
                UromConfiguration.DEFAULT,
                configuration -> configuration.toBuilder().build(),
                List.of(
                        configuration ->
                                configuration.toBuilder().device("soft0").build(),
                        configuration -> configuration.toBuilder()
                                .idleStrategy(IdleStrategy.SPIN)
                                .build(),
                        configuration ->
                                configuration.toBuilder().maxMessageSize(8192).build(),
                        configuration -> configuration.toBuilder().maxWorkers(2).build(),
                        configuration ->
                                configuration.toBuilder().noCallTimeout().build(),
                        configuration -> configuration.toBuilder()
                                .completionExecutor(Runnable::run)
                                .build()));
    }

    private static Style<WorkerConfiguration> worker() {
        return new Style<>(
                WorkerConfiguration.of("graph"),
                configuration -> configuration.toBuilder().build(),
                List.of(
                        configuration -> configuration.toBuilder().id(1).build(),
                        configuration -> configuration.toBuilder().group(2).build(),
                        configuration ->
                                configuration.toBuilder().cpus(CpuSet.of(0)).build(),
                        configuration -> configuration.toBuilder()
                                .environment(Map.of("A", "1"))
                                .build(),
                        configuration -> configuration.toBuilder().tasks(4).build(),
                        configuration -> configuration.toBuilder()
                                .submitTimeout(Duration.ofMillis(1))
                                .build()));
    }

    @ParameterizedTest
    @MethodSource("styles")
    <T> void a_changed_setting_differs_and_stays_in_copies(Style<T> style) {
        assertEquals(style.usual(), style.copy().apply(style.usual()));
        for (var i = 0; i < style.changes().size(); i++) {
            var changed = style.changes().get(i).apply(style.usual());
            assertNotEquals(style.usual(), changed, "change " + i);
            assertEquals(changed, style.copy().apply(changed), "change " + i);
        }
    }
}
