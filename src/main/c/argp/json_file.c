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
#include "json_text.h"

/* Maximum nesting depth; a file of flags needs four. */
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

    while (count > 0 && content->length <= JSON_TEXT_MAX) {
        count = read(fd, content->bytes + content->length, JSON_TEXT_MAX + 1 - content->length);
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
    content->bytes = malloc(JSON_TEXT_MAX + 1);
    if (content->bytes == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (!read_all(fd, content))
        return reject(parser, path, strerror(errno));
    if (content->length > JSON_TEXT_MAX)
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

static doca_error_t parse_with(struct parser *parser, const char *path, json_tokener *tokener,
        const struct content *strict)
{
    enum json_tokener_error error;

    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    parser->file = json_tokener_parse_ex(tokener, strict->bytes, (int)strict->length);
    error = json_tokener_get_error(tokener);
    if (error != json_tokener_success) {
        parser_report(parser, "cannot read the file %s: line %zu: %s", text_quote(path).text,
                line_of(strict, json_tokener_get_parse_end(tokener)),
                error == json_tokener_continue ? "unexpected end of file"
                                               : json_tokener_error_desc(error));
        return DOCA_ERROR_IO_FAILED;
    }
    if (!json_object_is_type(parser->file, json_type_object)) {
        parser_report(parser, "the file %s must contain one JSON object", text_quote(path).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return DOCA_SUCCESS;
}

static doca_error_t parse(struct parser *parser, const char *path, const struct content *content)
{
    json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
    doca_error_t status = DOCA_ERROR_NO_MEMORY;
    struct content strict = { 0 };

    if (tokener != NULL
            && json_text_make_strict(
                    content->bytes, content->length, &strict.bytes, &strict.length))
        status = parse_with(parser, path, tokener, &strict);
    free(strict.bytes);
    if (tokener != NULL)
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
