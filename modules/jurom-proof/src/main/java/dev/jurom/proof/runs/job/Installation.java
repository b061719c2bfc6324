// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.nio.file.Path;

/**
 * The programs of runs.
 *
 * @param software the prefix of the software DOCA with fault points
 * @param hosts the program that forks C hosts
 */
public record Installation(Path software, Path hosts) {
}
