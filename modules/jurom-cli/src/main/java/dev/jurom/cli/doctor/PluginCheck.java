// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.service.EmbeddedService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the packaged plugins of a folder: starts a worker with each, on a private service. */
final class PluginCheck {

    private static final String NAME = "plugin";
    private static final String SUFFIX = ".so";

    private PluginCheck() {}

    static void run(Path folder, Findings findings) {
        findings.check(NAME, () -> {
            var started = 0;
            try (var plugins = Files.newDirectoryStream(folder, "*" + SUFFIX);
                    var service = EmbeddedService.open(
                            usual -> usual.toBuilder().plugins(folder).build());
                    var urom = Urom.open()) {
                for (var plugin : plugins) {
                    findings.add(look(urom, plugin));
                    started++;
                }
            } catch (IOException e) {
                return Finding.fail(NAME, folder + " cannot be read", "name a folder of plugins");
            }
            return started > 0
                    ? Finding.pass(NAME, started + " in " + folder)
                    : Finding.fail(NAME, folder + " has no plugin", "urom plugin package -o " + folder);
        });
    }

    private static Finding look(Urom urom, Path plugin) throws InterruptedException {
        var file = plugin.getFileName().toString();
        var name = file.substring(0, file.length() - SUFFIX.length());
        if (urom.plugins().stream().noneMatch(offered -> offered.name().equals(name))) {
            return Finding.fail(
                    NAME,
                    name + " is not offered, and nothing of it was executed",
                    "see the warning on standard error, which states the reason");
        }
        try (var worker = urom.startWorker(WorkerConfiguration.of(name))) {
            return Finding.pass(NAME, name + " starts, in " + worker);
        } catch (DocaException e) {
            return Finding.fail(NAME, name + " does not start: " + e.getMessage(), "package it again, or as stated");
        }
    }
}
