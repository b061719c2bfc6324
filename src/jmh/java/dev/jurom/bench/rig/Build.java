// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The programs of a working tree that {@code scripts/bench} has built.
 *
 * @param root the root folder of the tree
 */
record Build(Path root) {

    /** The working tree of this program. */
    static final Build OWN = new Build(Page.source(""));

    /** Replaces the paths of this program's tree, all of which are absolute, by those of this build. */
    private String translate(String word) {
        return word.replace(OWN.root + "/", root + "/");
    }

    List<String> translate(List<String> command) {
        return command.stream().map(this::translate).toList();
    }

    Map<String, String> translate(Map<String, String> environment) {
        return environment.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> translate(entry.getValue())));
    }
}
