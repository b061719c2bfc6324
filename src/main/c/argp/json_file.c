/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <json-c/json_object.h>
#include <json-c/json_tokener.h>

#include "argp_text.h"

/* Maximum nesting depth; a file of flags needs five, with the array around it. */
#define MAX_DEPTH 16

struct content {
    char *bytes;
    size_t length;
};

static doca_error_t reject(const struct parser *parser, const char *path, const char *reason)
{
    parser_report(parser, "cannot read the file %s: %s", text_quote(path).text, reason);
    return DOCA_ERROR_IO_FAILED;
}

/* Reads up to one byte more than the maximum, to detect larger files. */
static bool read_all(int fd, struct content *content)
{
    ssize_t count = 1;

    while (count > 0 && content->length <= JSON_FILE_MAX) {
        count = read(fd, content->bytes + content->length, JSON_FILE_MAX + 1 - content->length);
        if (count > 0)
            content->length += (size_t)count;
        else if (count < 0 && errno == EINTR)
            count = 1;
    }
    return count >= 0;
}

static doca_error_t read_open(
        const struct parser *parser, const char *path, int fd, struct content *content)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return reject(parser, path, strerror(errno));
    /* Other file types might be endless or block the reader. */
    if (!S_ISREG(status.st_mode))
        return reject(parser, path, "not a regular file");
    content->bytes = malloc(JSON_FILE_MAX + 1);
    if (content->bytes == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (!read_all(fd, content))
        return reject(parser, path, strerror(errno));
    if (content->length > JSON_FILE_MAX)
        return reject(parser, path, "larger than 1 MiB");
    return DOCA_SUCCESS;
}

static doca_error_t read_content(
        const struct parser *parser, const char *path, struct content *content)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    doca_error_t status;

    if (fd < 0)
        return reject(parser, path, strerror(errno));
    status = read_open(parser, path, fd, content);
    close(fd);
    return status;
}

static size_t line_of(const struct content *content, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset && i < content->length; ++i)
        line += content->bytes[i] == '\n';
    return line;
}

/*
 * Parses the bytes as the elements of an array, so that json-c, which ends after the first value,
 * also checks what follows it. Returns NULL after an error, and sets `*offset` to its place.
 */
static struct json_object *parse_all(
        json_tokener *tokener, const struct content *content, size_t *offset)
{
    json_object_put(json_tokener_parse_ex(tokener, "[", 1));
    json_object_put(json_tokener_parse_ex(tokener, content->bytes, (int)content->length));
    *offset = content->length;
    if (json_tokener_get_error(tokener) == json_tokener_continue)
        return json_tokener_parse_ex(tokener, "\n]", 2); /* the line ends a comment */
    *offset = json_tokener_get_parse_end(tokener);
    return NULL;
}

static const char *error_text(json_tokener *tokener, bool at_end)
{
    enum json_tokener_error error = json_tokener_get_error(tokener);

    if (error == json_tokener_success)
        return "unexpected \"]\"";
    return at_end ? "unexpected end of file" : json_tokener_error_desc(error);
}

static doca_error_t parse_with(struct parser *parser, const char *path, json_tokener *tokener,
        const struct content *content)
{
    struct json_object *all;
    size_t offset;

    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    all = parse_all(tokener, content, &offset);
    if (all == NULL) {
        parser_report(parser, "cannot read the file %s: line %zu: %s", text_quote(path).text,
                line_of(content, offset), error_text(tokener, offset == content->length));
        return DOCA_ERROR_IO_FAILED;
    }
    if (json_object_array_length(all) == 1)
        parser->file = json_object_get(json_object_array_get_idx(all, 0));
    json_object_put(all);
    if (!json_object_is_type(parser->file, json_type_object)) {
        parser_report(parser, "the file %s must contain one JSON object", text_quote(path).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return DOCA_SUCCESS;
}

static doca_error_t parse(struct parser *parser, const char *path, const struct content *content)
{
    json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
    doca_error_t status;

    if (tokener == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = parse_with(parser, path, tokener, content);
    json_tokener_free(tokener);
    return status;
}

doca_error_t json_file_read(struct parser *parser, const char *path)
{
    struct content content = { 0 };
    doca_error_t status = read_content(parser, path, &content);

    if (status == DOCA_SUCCESS)
        status = parse(parser, path, &content);
    free(content.bytes);
    return status;
}
