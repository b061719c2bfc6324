// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The Java members for the functions of the C interface, and the problems of that mapping. */
final class InterfaceTable {

    private static final Pattern NOT_SUPPORTED = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    private static final String HEAD = """
            # From C to Java

            This page lists the functions of the C headers with the Java members that correspond to
            them, according to the Javadoc of those members, and one test class that uses them. A
            member that "stands for" a function calls it. A member marked *in place* has the same
            effect without calling it. A function without a Java member has a reason.

            `InterfaceTableTest` generates this page from the
            headers, the Javadoc and the compiled tests. The test fails if the page is outdated, if a
            function has neither a member nor a reason, if the library does not call a function that
            its Javadoc stands for, or if no test uses a member. To regenerate the page:

                mvn test -pl :jurom-tests -am -Dtest=InterfaceTableTest -Djurom.write=true
            """;

    private final List<HeaderFunction> functions;
    private final JavadocReader javadoc;
    private final Map<String, String> reasons;
    private final Set<String> notSupported;
    private final MemberUses uses;
    private final Map<String, List<JavaForm>> forms;

    /**
     * Reads the sources.
     *
     * @param headers the directory of the headers
     * @param sources the root of the Java packages
     * @param reasons the file with the reasons: a function or {@code prefix*}, a bar, a sentence
     * @param notSupported the page with the functions that the software DOCA does not support
     * @param uses the uses in compiled classes
     */
    InterfaceTable(Path headers, Path sources, Path reasons, Path notSupported, MemberUses uses) throws IOException {
        this.functions = HeaderFunction.read(headers);
        this.javadoc = new JavadocReader(sources);
        this.reasons = reasons(reasons);
        this.notSupported = NOT_SUPPORTED
                .matcher(Files.readString(notSupported))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        this.uses = uses;
        this.forms = javadoc.forms().stream().collect(Collectors.groupingBy(JavaForm::function));
    }

    private static Map<String, String> reasons(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.contains(" | "))
                .map(line -> line.split(" +\\| +", 2))
                .collect(Collectors.toMap(
                        words -> words[0],
                        words -> words[1],
                        (a, b) -> {
                            throw new AssertionError("two reasons for one name: " + a + " / " + b);
                        },
                        LinkedHashMap::new));
    }

    /** Returns the problems, one per line; empty if there are none. */
    List<String> problems(Path headers) throws IOException {
        var problems = new ArrayList<String>();
        var called = uses.called();
        for (var function : functions) {
            problems.addAll(problems(function, called));
        }
        problems.addAll(unknownNames(headers));
        var names = functions.stream().map(HeaderFunction::name).collect(Collectors.toSet());
        reasons.keySet().stream()
                .filter(name -> names.stream().noneMatch(function -> covers(name, function)))
                .forEach(name -> problems.add(name + " has a reason, but is in no header"));
        return problems;
    }

    private List<String> problems(HeaderFunction function, Set<String> called) {
        var name = function.name();
        var problems = new ArrayList<String>();
        var found = forms.getOrDefault(name, List.of());
        if (found.isEmpty() && reason(name).isEmpty()) {
            problems.add(name + " (" + function.header() + ") has no Java member and no reason");
        }
        if (!found.isEmpty() && reasons.keySet().stream().anyMatch(key -> covers(key, name))) {
            problems.add(name + " has both a Java member and a reason why it has none");
        }
        if (!found.isEmpty()
                && found.stream().noneMatch(form -> uses.testOf(form).isPresent())) {
            problems.add(name + " is not tested: " + found.getFirst().type() + "."
                    + found.getFirst().member() + " is used by no test");
        }
        if (found.stream().anyMatch(form -> !form.inPlace()) && !function.inline() && !called.contains(name)) {
            problems.add(name + " is never called: its Javadoc must say \"in place of\"");
        }
        return problems;
    }

    /** Returns problems for names in the Javadoc that no header declares. */
    private List<String> unknownNames(Path headers) throws IOException {
        var words = new TreeSet<String>();
        for (var header : HeaderFunction.files(headers)) {
            words.addAll(List.of(Files.readString(header).split("\\W+")));
        }
        return javadoc.names().stream()
                .filter(name -> !words.contains(name))
                .map(name -> "the Javadoc mentions " + name + ", which is not declared in any header")
                .toList();
    }

    private static boolean covers(String key, String function) {
        return key.endsWith("*") ? function.startsWith(key.substring(0, key.length() - 1)) : function.equals(key);
    }

    private String reason(String function) {
        return reasons.entrySet().stream()
                .filter(entry -> covers(entry.getKey(), function))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> notSupported.contains(function)
                        ? "[Not supported](not-supported.md) by the software DOCA."
                        : "");
    }

    /** Returns the page. */
    String page() {
        var byHeader = functions.stream()
                .collect(Collectors.groupingBy(HeaderFunction::header, TreeMap::new, Collectors.toList()));
        var page = new StringBuilder(HEAD);
        page.append('\n').append(summary()).append('\n');
        byHeader.forEach((header, members) -> {
            page.append("\n## ").append(header).append("\n\n").append(section(members));
        });
        return page.toString();
    }

    /** Returns a table of functions, or one sentence if the same reason covers all of them. */
    private String section(List<HeaderFunction> members) {
        var names = members.stream().map(HeaderFunction::name).toList();
        var common = names.stream().map(this::reason).distinct().toList();
        if (common.size() == 1 && names.size() > 1 && names.stream().noneMatch(forms::containsKey)) {
            return "%s No Java member: %s.%n"
                    .formatted(
                            common.getFirst(),
                            names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")));
        }
        return "| C | Java | description | test |\n|---|---|---|---|\n"
                + names.stream().map(this::row).collect(Collectors.joining());
    }

    private String summary() {
        var withForm = functions.stream()
                .filter(function -> forms.containsKey(function.name()))
                .count();
        return "%d functions: %d with a Java member, %d with a reason."
                .formatted(functions.size(), withForm, functions.size() - withForm);
    }

    private String row(String function) {
        var found = forms.getOrDefault(function, List.of());
        if (found.isEmpty()) {
            return "| `%s` | - | %s | - |%n".formatted(function, reason(function));
        }
        var java = found.stream().map(InterfaceTable::link).distinct().collect(Collectors.joining(", "));
        var summary = found.stream()
                .map(JavaForm::summary)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
        var test = found.stream()
                .map(uses::testOf)
                .flatMap(name -> name.stream())
                .findFirst()
                .map(name -> "`" + name + "`")
                .orElse("-");
        return "| `%s` | %s | %s | %s |%n".formatted(function, java, summary, test);
    }

    private static String link(JavaForm form) {
        var member = form.member().isEmpty() ? form.type() : form.type() + "." + form.member();
        return "[`%s`](../src/main/java/%s)%s".formatted(member, form.source(), form.inPlace() ? " in place" : "");
    }
}
