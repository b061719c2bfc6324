/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a plugin in Java may run code from. No JVM is created, since the JDK is an imitation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker_process.h"

#define SOMEBODY 4242
#define ACCEPTED "there is no usable JDK in" /* the next error, after the check */

static struct worker_process worker;
static char folder[PATH_MAX];

static int set_up(void **state)
{
    (void)state;
    make_directory(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_clean_up(&worker);
    remove_directory(folder);
    return 0;
}

static const char *in_folder(const char *name)
{
    static char path[PATH_MAX];

    path_in(path, folder, name);
    return path;
}

static void add_folder(const char *name)
{
    assert_int_equal(0, mkdir(in_folder(name), 0755));
}

static void add_file(const char *name)
{
    write_text(in_folder(name), "text\n");
}

static void copy_plugin(void)
{
    char command[3 * PATH_MAX];

    snprintf(command, sizeof(command), "cp '%s' '%s'", WORKER_JAVA, in_folder("worker_x.so"));
    assert_int_equal(0, system(command));
}

/* Writes a plugin with these options and, where they say "@", the folder. */
static void write_plugin(const char *options)
{
    char properties[2 * PATH_MAX];
    FILE *file = fopen(in_folder("worker_x.properties"), "w");

    assert_non_null(file);
    snprintf(properties, sizeof(properties),
            "version=1\nclass=X\nclass.path=x.jar:missing/y.jar:classes\njava.home=%s/jdk\noptions=",
            folder);
    fputs(properties, file);
    for (; *options != '\0'; ++options)
        if (*options == '@')
            fputs(folder, file);
        else
            fputc(*options, file);
    fputs("\n", file);
    fclose(file);
}

static void write_files(const char *options)
{
    static const char *const folders[] = { "classes", "classes/package", "jdk", "jdk/lib",
        "jdk/lib/server", "missing", "other" };
    static const char *const files[] = { "x.jar", "classes/package/X.class", "jdk/release",
        "jdk/lib/modules", "jdk/lib/server/libjvm.so", "other/a", "other/b", "other/a=b" };

    remove_directory(folder);
    assert_int_equal(0, mkdir(folder, 0700));
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); ++i)
        add_folder(folders[i]);
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); ++i)
        add_file(files[i]);
    copy_plugin();
    write_plugin(options);
}

/* The worker must not start, with a message that contains a text. */
static void assert_reason(const char *expected)
{
    char argument[PATH_MAX + 2], text[4096];
    const char *const arguments[] = { argument, NULL };

    snprintf(argument, sizeof(argument), "%s:1", in_folder("worker_x.so"));
    worker_launch(&worker, arguments);
    worker_configure(&worker, 4096, NULL);
    worker_expect(&worker, WIRE_ERROR);
    snprintf(text, sizeof(text), "%.*s", (int)worker.answer.error.text.length,
            (const char *)worker.answer.error.text.data);
    if (strstr(text, expected) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", text, expected);
    worker_await_failure(&worker);
}

/* Whatever a worker may run code from, and the options that name it. */
static const struct {
    const char *options;
    const char *file;
} named[] = {
    { "", "worker_x.properties" },
    { "", "x.jar" },
    { "", "classes" },
    { "", "classes/package/X.class" },
    { "", "jdk" },
    { "", "jdk/lib" },
    { "", "jdk/lib/modules" },
    { "", "jdk/lib/server/libjvm.so" },
    { "-Xmx64m -javaagent:@/other/a", "other/a" },
    { "-javaagent:@/other/a=x=y", "other/a" },
    { "-agentpath:@/other/a=b", "other/a=b" },
    { "-Xbootclasspath/a:@/other/a:@/other/b", "other/b" },
    { "--patch-module=java.base=@/other/b", "other/b" },
    { "--module-path=@/other", "other/b" },
    { "-XX:SharedArchiveFile=@/other/b", "other/b" },
    { "-Djava.library.path=@/other", "other/b" },
    { "-Djava.class.path=@/other/b", "other/b" },
};

static void a_file_that_another_user_can_change_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(named) / sizeof(*named); ++i) {
        write_files(named[i].options);
        assert_reason(ACCEPTED);
        assert_int_equal(0, chmod(in_folder(named[i].file), 0777));
        assert_reason("others can write to ");
        assert_reason(in_folder(named[i].file));
    }
}

static void a_file_of_another_user_is_refused(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    for (size_t i = 0; i < sizeof(named) / sizeof(*named); ++i) {
        write_files(named[i].options);
        assert_int_equal(0, chown(in_folder(named[i].file), SOMEBODY, SOMEBODY));
        assert_reason("belongs to user 4242");
        assert_reason(in_folder(named[i].file));
    }
}

/* The folder is missing, or does not have the file. */
static void a_file_that_another_user_can_add_is_refused(void **state)
{
    static const char *const options[] = { "-javaagent:@/open/a.jar",
        "-XX:SharedArchiveFile=@/open/x/y", "-Djava.class.path=@/x.jar:@/open/a.jar" };

    (void)state;
    for (size_t i = 0; i < sizeof(options) / sizeof(*options); ++i) {
        write_files(options[i]);
        assert_reason(ACCEPTED);
        add_folder("open");
        assert_reason(ACCEPTED);
        assert_int_equal(0, chmod(in_folder("open"), 01777));
        assert_reason("others can add files to ");
        assert_reason(in_folder("open"));
    }
    write_files("");
    assert_int_equal(0, chmod(in_folder("missing"), 01777));
    assert_reason(in_folder("missing"));
}

/* A link is followed, and belongs to a trusted user itself. */
static void the_target_of_a_link_is_checked(void **state)
{
    static const char *const links[] = { "jdk/lib/link", "classes/link" };
    char target[PATH_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(links) / sizeof(*links); ++i) {
        write_files("");
        assert_int_equal(0, symlink("../../other", in_folder("jdk/lib/loop")));
        assert_int_equal(0, symlink("../jdk", in_folder("other/loop")));
        path_in(target, folder, "other");
        assert_int_equal(0, symlink(target, in_folder(links[i])));
        assert_reason(ACCEPTED);
        assert_int_equal(0, chmod(in_folder("other/a"), 0666));
        assert_reason("/other/a and so change");
    }
}

static void an_option_that_reads_options_from_a_file_is_refused(void **state)
{
    static const char *const options[] = { "-Xmx64m -XX:Flags=@/other/a",
        "-XX:VMOptionsFile=@/other/a" };

    (void)state;
    for (size_t i = 0; i < sizeof(options) / sizeof(*options); ++i) {
        write_files(options[i]);
        assert_reason("reads options from a file");
    }
}

/* These name no code, and the folder of temporary files is open to all. */
static void a_file_that_is_only_written_is_not_checked(void **state)
{
    (void)state;
    write_files("-Djava.io.tmpdir=@/other -XX:HeapDumpPath=@/other/a -Xlog:gc:@/other/b");
    assert_int_equal(0, chmod(in_folder("other"), 01777));
    assert_reason(ACCEPTED);
}

/* A class path cannot contain the jars of such a plugin. */
static void a_plugin_below_a_folder_with_a_colon_is_refused_with_the_reason(void **state)
{
    size_t length = strlen(folder);

    (void)state;
    remove_directory(folder);
    strcpy(folder + length, ":x");
    write_files("");
    assert_reason("worker_x.properties has a colon, which separates the entries of class paths");
    remove_directory(folder);
    folder[length] = '\0';
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_another_user_can_change_is_refused),
        cmocka_unit_test(a_file_of_another_user_is_refused),
        cmocka_unit_test(a_file_that_another_user_can_add_is_refused),
        cmocka_unit_test(the_target_of_a_link_is_checked),
        cmocka_unit_test(an_option_that_reads_options_from_a_file_is_refused),
        cmocka_unit_test(a_file_that_is_only_written_is_not_checked),
        cmocka_unit_test(a_plugin_below_a_folder_with_a_colon_is_refused_with_the_reason),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
