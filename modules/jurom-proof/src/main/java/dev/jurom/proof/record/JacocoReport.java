// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the coverage of Java from an XML report of JaCoCo. */
final class JacocoReport {

    private JacocoReport() {}

    /**
     * Adds the lines of a report.
     *
     * @param folders the source folders, relative to the root; files in other folders are generated
     */
    static void read(Path root, Path report, List<String> folders, SourceLines lines) throws IOException {
        var factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try (var stream = Files.newInputStream(report)) {
            var reader = factory.createXMLStreamReader(stream);
            var folder = "";
            var file = Optional.<String>empty();
            while (reader.hasNext()) {
                if (reader.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                switch (reader.getLocalName()) {
                    case "package" -> folder = reader.getAttributeValue(null, "name");
                    case "sourcefile" ->
                        file = find(root, folders, folder + "/" + reader.getAttributeValue(null, "name"));
                    case "line" ->
                        file.ifPresent(name -> lines.add(name, number(reader, "nr"), number(reader, "ci") > 0));
                    default -> {}
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException(report + " is not a JaCoCo report: " + e.getMessage(), e);
        }
    }

    private static Optional<String> find(Path root, List<String> folders, String name) {
        return folders.stream()
                .map(folder -> folder + "/" + name)
                .filter(file -> Files.exists(root.resolve(file)))
                .findFirst();
    }

    private static int number(XMLStreamReader reader, String attribute) {
        return Integer.parseInt(reader.getAttributeValue(null, attribute));
    }
}
