/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grammar of the service file: a table of lines, with which the parser in Java is also tested.
 * The test compiles the parser, and chooses the name of the host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <testing/assertions.h>
#include <testing/logged.h>
#include <testing/process.h>
#include <urom/service_file.h>

#define FIELDS 4

static char directory[PATH_MAX], path[PATH_MAX];
static const char *host_name = "node1";

/* In place of the function of the C library. */
int gethostname(char *name, size_t size)
{
    snprintf(name, size, "%s", host_name);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    make_directory(directory);
    path_in(path, directory, "file");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_directory(directory);
    return 0;
}

/* Replaces the escapes of the table, for example <x*300>, and appends a newline. */
static void expand(const char *from, char *to)
{
    static const struct {
        const char *text;
        char character;
    } escapes[] = { { "\\t", '\t' }, { "\\r", '\r' }, { "\\f", '\f' }, { "\\x7f", '\x7f' } };
    unsigned count;
    size_t i;

    while (*from != '\0') {
        for (i = 0; i < sizeof(escapes) / sizeof(escapes[0]); ++i)
            if (strncmp(from, escapes[i].text, strlen(escapes[i].text)) == 0)
                break;
        if (i < sizeof(escapes) / sizeof(escapes[0])) {
            *to++ = escapes[i].character;
            from += strlen(escapes[i].text);
        } else if (sscanf(from, "<x*%u>", &count) == 1) {
            memset(to, 'x', count);
            to += count;
            from = strchr(from, '>') + 1;
        } else {
            *to++ = *from++;
        }
    }
    strcpy(to, "\n");
}

/* Returns the result of the search in a file with this line. */
static doca_error_t find(const char *line, const char *pci_address)
{
    struct service_entry entry;
    char text[4096];

    expand(line, text);
    write_text(path, text);
    log_keep();
    return service_file_find(path, pci_address, &entry);
}

/* Returns whether the parser decides as the row of the table says. */
static bool holds(char *field[FIELDS])
{
    char line[300];

    if (strcmp(field[0], "rejected") == 0)
        return find(field[2], "0000:03:00.0") == DOCA_ERROR_BAD_CONFIG && log_has("Line 1 of the")
                && log_has(field[1]);
    if (strcmp(field[0], "accepted") == 0) {
        char host[300], text[4096];

        expand(field[2], text);
        assert_int_equal(1, sscanf(text, "%299s", host));
        host_name = host;
        /* No host has a name of the maximum length of the field. */
        return find(field[2], field[1])
                == (strlen(host) <= HOST_NAME_MAX ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND);
    }
    assert_string_equal("host", field[0]);
    host_name = field[1];
    snprintf(line, sizeof(line), "%s dpu dpu1 0000:03:00.0 all", field[2]);
    return find(line, "0000:03:00.0")
            == (strcmp(field[3], "yes") == 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND);
}

static void each_line_of_the_table_is_parsed_as_it_says(void **state)
{
    unsigned rows = 0, wrong = 0;
    FILE *table = fopen(LINES, "re");
    char row[4096], copy[4096];

    (void)state;
    assert_non_null(table);
    while (fgets(row, sizeof(row), table) != NULL) {
        char *field[FIELDS] = { NULL }, *rest = row;

        row[strcspn(row, "\n")] = '\0';
        if (row[0] == '#')
            continue;
        strcpy(copy, row);
        for (int i = 0; i < FIELDS && rest != NULL; ++i)
            field[i] = strsep(&rest, "|");
        ++rows;
        if (!holds(field)) {
            print_error("%s\n", copy);
            ++wrong;
        }
    }
    fclose(table);
    assert_true(rows > 50);
    assert_int_equal(0, wrong);
}

static void a_line_with_a_null_character_is_rejected(void **state)
{
    static const char text[] = "node1 dpu dpu1 0000:03:00.0 all\0 more\n";
    FILE *file = fopen(path, "we");
    struct service_entry entry;

    (void)state;
    assert_non_null(file);
    assert_int_equal(sizeof(text) - 1, fwrite(text, 1, sizeof(text) - 1, file));
    assert_int_equal(0, fclose(file));
    host_name = "node1";
    assert_int_equal(DOCA_ERROR_BAD_CONFIG, service_file_find(path, "0000:03:00.0", &entry));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_of_the_table_is_parsed_as_it_says),
        cmocka_unit_test(a_line_with_a_null_character_is_rejected),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
