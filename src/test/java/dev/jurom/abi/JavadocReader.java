// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads off the Javadoc of public members which C functions they stand for. The forms are:
 *
 * <pre>
 *     Stands for {@code doca_a}, {@code doca_b} and {@code doca_c}.
 *     In place of {@code doca_d}, which nothing can end.
 *     {@link #close()} stands for {@code doca_e}.
 * </pre>
 */
final class JavadocReader {

    private static final Pattern MEMBER = Pattern.compile("(?ms)^(?<indent> *)/\\*\\*(?<text>.*?)"
            + "\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*(?://[^\\n]*\\n\\s*)?)*(?<declaration>[^;{]*)");

    private static final Pattern TYPE = Pattern.compile("(?:^|\\s)(?:class|interface|enum|record) (?<name>\\w+)");

    /** Matches the parameters of a method; fields and enum constants have none. */
    private static final Pattern METHOD =
            Pattern.compile("(?s)(?:public|protected) [^=(]*\\(([^)]*)\\)\\s*(?:throws .*)?");

    private static final Pattern CLAIM = Pattern.compile("(?:\\{@link #(?<member>\\w+)[^}]*\\} (?:is )?)?"
            + "\\b(?<how>[Ss]tands for|[Ii]n place of) "
            + "(?<functions>(?:\\{@code [\\w ]+\\}(?:,? and |, )?)+)");

    private static final Pattern FUNCTION = Pattern.compile("\\{@code ((?:doca|jurom)_\\w+)\\}");

    private static final Pattern FIRST_SENTENCE = Pattern.compile("(?s)(.*?\\.)(?: .*)?");

    private static final Pattern MARKUP = Pattern.compile("\\{@(?:code|link|linkplain|value) ([^}]*)\\}");

    private static final Pattern PARENT = Pattern.compile("\\bextends (\\w+)");

    private final List<JavaForm> forms = new ArrayList<>();
    private final Map<String, String> summaries = new HashMap<>(); // by class and member
    private final Map<String, String> parents = new HashMap<>();
    private final TreeSet<String> names = new TreeSet<>();

    /** Reads all sources in a folder, the root of their packages. */
    JavadocReader(Path sources) throws IOException {
        try (var files = Files.walk(sources)) {
            for (var file : files.filter(JavadocReader::isForOthers).sorted().toList()) {
                read(sources.relativize(file).toString(), Files.readString(file));
            }
        }
    }

    /** Returns the counterparts according to the Javadoc of public members. */
    List<JavaForm> forms() {
        return forms.stream()
                .map(form -> form.summary().isEmpty() ? form.withSummary(inherited(form.type(), form.member())) : form)
                .toList();
    }

    /** Returns the counterparts in the Javadoc of the member, or of the enclosing class. */
    private String inherited(String type, String member) {
        for (var owner = type; owner != null; owner = parents.get(owner)) {
            var summary = summaries.getOrDefault(owner + "." + member, "");
            if (!summary.isEmpty()) {
                return summary;
            }
        }
        return "";
    }

    /** Returns all names of C functions and types in any Javadoc. */
    TreeSet<String> names() {
        return names;
    }

    private static boolean isForOthers(Path file) {
        return file.toString().endsWith(".java") && !file.toString().contains("internal");
    }

    private void read(String source, String text) {
        var outer = "";
        var inner = "";
        for (var found = MEMBER.matcher(text); found.find(); ) {
            var comment =
                    found.group("text").replaceAll("\\s*\\n\\s*\\*? ?", " ").strip();
            FUNCTION.matcher(comment).results().forEach(name -> names.add(name.group(1)));
            var declaration = found.group("declaration");
            var type = TYPE.matcher(declaration.replaceAll("(?s)\\(.*", ""));
            var depth = found.group("indent").length() / 4;
            if (type.find()) {
                outer = depth == 0 ? type.group("name") : outer;
                inner = depth == 0 ? "" : type.group("name");
                var parent = PARENT.matcher(declaration);
                if (parent.find()) {
                    parents.put(type.group("name"), parent.group(1));
                }
                if (isPublic(declaration)) {
                    var name = inner.isEmpty() ? outer : outer + "." + inner;
                    addAll(comment, source, name, "", JavaForm.ANY);
                }
            } else if (isPublic(declaration) || declaration.matches("(?s)[A-Z][A-Z_]+\\b.*")) {
                addAll(
                        comment,
                        source,
                        depth > 1 ? outer + "." + inner : outer,
                        memberName(declaration),
                        parameters(declaration));
            }
        }
    }

    private static boolean isPublic(String declaration) {
        return declaration.matches("(?s)(?:public|protected)\\b.*");
    }

    private static String memberName(String declaration) {
        return declaration.replaceAll("(?s)\\s*[(=,].*", "").replaceAll("(?s).*\\W", "");
    }

    /** Returns the compiled types by their simple names. */
    private static String parameters(String declaration) {
        var method = METHOD.matcher(declaration);
        if (!method.matches()) {
            return JavaForm.ANY;
        }
        var list = method.group(1)
                .replaceAll("<[^<>]*(?:<[^<>]*>[^<>]*)*>", "")
                .replaceAll("@\\w+ ", "")
                .replaceAll("\\w+\\.(?=\\w)", "");
        return Arrays.stream(list.split(","))
                .map(String::strip)
                .map(parameter -> parameter.replaceAll("\\s+\\w+$", "").replace("...", "[]"))
                .collect(Collectors.joining(", "));
    }

    private void addAll(String comment, String source, String type, String member, String parameters) {
        var summary = summary(comment.replaceAll("\\{@inheritDoc\\} ?", ""));
        summaries.putIfAbsent(type + "." + member, summary);
        for (var claim = CLAIM.matcher(comment); claim.find(); ) {
            var named = claim.group("member") == null ? member : claim.group("member");
            var inPlace = claim.group("how").endsWith("of");
            FUNCTION.matcher(claim.group("functions"))
                    .results()
                    .forEach(function -> forms.add(new JavaForm(
                            function.group(1),
                            type,
                            named,
                            claim.group("member") == null ? parameters : JavaForm.ANY,
                            source,
                            claim.group("member") == null ? summary : "",
                            inPlace)));
        }
    }

    /** The first sentence, as Markdown; none for one that says only what the table does. */
    private static String summary(String comment) {
        var sentence = FIRST_SENTENCE.matcher(text(comment));
        var summary = sentence.matches() ? sentence.group(1) : "";
        return summary.startsWith("Stands for") ? "" : summary;
    }

    /** Converts Javadoc to Markdown. */
    private static String text(String javadoc) {
        return MARKUP.matcher(javadoc.replaceAll("\\s+", " "))
                .replaceAll(markup -> Matcher.quoteReplacement(
                        "`" + markup.group(1).replaceFirst("^#", "").replace('#', '.') + "`"))
                .replace("|", "\\|");
    }
}
