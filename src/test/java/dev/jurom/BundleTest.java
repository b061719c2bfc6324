// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles a Maven repository with the POMs of the artifacts, and with other files in place of the jars. */
class BundleTest {

    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
    private static final Pattern ARTIFACT = Pattern.compile("(?s)^(?:.*</parent>)?.*?<artifactId>(.*?)</artifactId>");
    private static final String KEY = "releaser@example.com";

    @TempDir
    private Path folder;

    private Path repository;
    private Path keys;
    private String version;

    @BeforeEach
    void createRepositoryAndKey() throws IOException {
        repository = Files.createDirectory(folder.resolve("repository"));
        var modules = Command.ROOT.resolve("modules");
        var parent = Files.readString(modules.resolve("pom.xml"));
        version = first(VERSION, parent);
        var names = Pattern.compile("<module>(.*?)</module>")
                .matcher(parent)
                .results()
                .map(module -> module.group(1));
        for (var name : names.toList()) {
            var pom = Files.readString(modules.resolve(name).resolve("pom.xml"));
            if (!pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
                var artifact = name.equals("..") ? "jurom" : name;
                assertEquals(artifact, first(ARTIFACT, pom));
                publish(artifact, pom);
            }
        }
        publish("jurom-parent", parent);
        keys = Files.createDirectory(
                folder.resolve("keys"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        gpg("--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign", "1d");
    }

    /** The agent that gpg starts uses the folder with the keys. */
    @AfterEach
    void endAgent() {
        Command.run("env", "GNUPGHOME=" + keys, "gpgconf", "--kill", "gpg-agent");
    }

    private String gpg(String... arguments) {
        var words = Stream.concat(Stream.of("env", "GNUPGHOME=" + keys, "gpg", "--batch"), Stream.of(arguments));
        return Command.run(words.toList());
    }

    private static String first(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        assertTrue(matcher.find(), pattern::pattern);
        return matcher.group(1);
    }

    /** Adds an artifact with the address of the project that scripts/release sets. */
    private void publish(String artifact, String pom) throws IOException {
        var files = Files.createDirectories(repository.resolve("dev/jurom/" + artifact + "/" + version));
        var name = artifact + "-" + version;
        Files.writeString(files.resolve(name + ".pom"), pom.replace("example.org", "example.com"));
        if (!pom.contains("<packaging>pom</packaging>")) {
            for (var suffix : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
                Files.writeString(files.resolve(name + suffix), suffix);
            }
        }
        Files.writeString(files.resolve(name + ".pom.sha1"), "of Maven");
        Files.writeString(files.resolveSibling("maven-metadata.xml"), "<metadata/>");
    }

    private Path pom(String artifact) {
        return repository.resolve("dev/jurom/" + artifact + "/" + version + "/" + artifact + "-" + version + ".pom");
    }

    private Command.Result bundle(String key) {
        return Command.execute(List.of(
                "env",
                "GNUPGHOME=" + keys,
                Command.ROOT.resolve("scripts/bundle").toString(),
                repository.toString(),
                key,
                folder.resolve("bundle.zip").toString()));
    }

    @Test
    void each_file_of_each_artifact_has_a_valid_signature_and_checksums() throws IOException {
        var result = bundle(KEY);

        assertEquals(0, result.exitCode(), result::output);
        var unpacked = folder.resolve("unpacked");
        Command.run(
                "python3", "-m", "zipfile", "-e", folder.resolve("bundle.zip").toString(), unpacked.toString());
        var published = new TreeSet<String>();
        try (var files = Files.walk(unpacked)) {
            for (var file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
                var name = unpacked.relativize(file).toString();
                if (name.matches(".*\\.(pom|jar)")) {
                    published.add(name);
                    gpg("--verify", file + ".asc", file.toString());
                    for (var digest : List.of("md5", "sha1")) {
                        assertTrue(
                                Command.run(digest + "sum", file.toString())
                                        .startsWith(Files.readString(Path.of(file + "." + digest)) + " "),
                                name);
                    }
                } else {
                    assertTrue(name.matches(".*\\.(pom|jar)\\.(asc|md5|sha1)"), name);
                }
            }
        }
        assertTrue(
                published.contains("dev/jurom/jurom-native/" + version + "/jurom-native-" + version + "-javadoc.jar"));
        assertTrue(published.contains("dev/jurom/jurom-bom/" + version + "/jurom-bom-" + version + ".pom"));
    }

    @Test
    void a_missing_jar_a_placeholder_and_missing_metadata_are_reported_together() throws IOException {
        Files.delete(pom("jurom-cli").resolveSibling("jurom-cli-" + version + "-javadoc.jar"));
        var bom = Files.readString(pom("jurom-bom"));
        Files.writeString(pom("jurom-bom"), bom.replace("example.com", "example.org"));
        var worker = Files.readString(pom("jurom-worker"));
        Files.writeString(pom("jurom-worker"), worker.replaceFirst("(?s)<description>.*</description>", ""));

        var result = bundle(KEY);

        assertNotEquals(0, result.exitCode());
        assertTrue(result.output().contains("jurom-cli-" + version + "-javadoc.jar is missing"), result::output);
        assertTrue(result.output().contains("jurom-bom: scm/url is the placeholder"), result::output);
        assertTrue(result.output().contains("jurom-worker: the POM has no description"), result::output);
        assertFalse(Files.exists(folder.resolve("bundle.zip")));
    }

    @Test
    void an_unknown_key_leaves_no_bundle() {
        var result = bundle("unknown@example.com");

        assertNotEquals(0, result.exitCode());
        assertTrue(result.output().contains("gpg cannot sign with the key unknown@example.com"), result::output);
        assertFalse(Files.exists(folder.resolve("bundle.zip")));
    }
}
