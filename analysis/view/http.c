#include "analysis/view/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool http_is_whole(const char *text)
{
	return strstr(text, "\r\n\r\n");
}

/* The value of a header, to its line's end; NULL: there is none, or (which nobody means well) several. */
static const char *header(const char *text, const char *name, size_t *length)
{
	const char *found = NULL;
	size_t size = strlen(name);

	for (const char *line = strstr(text, "\r\n"); line && strncmp(line, "\r\n\r\n", 4) != 0; line = strstr(line + 2, "\r\n")) {
		const char *value = line + 2 + size + 1;

		if (strncasecmp(line + 2, name, size) || line[2 + size] != ':')
			continue;
		if (found)
			return NULL;
		value += strspn(value, " \t");
		*length = strcspn(value, "\r\n");
		while (*length && (value[*length - 1] == ' ' || value[*length - 1] == '\t'))
			--*length;
		found = value;
	}
	return found;
}

/* The port may be another one: that at the other end of ssh. */
static bool is_this_machine(const char *host, size_t length)
{
	static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };

	for (size_t i = 0; host && i < sizeof(names) / sizeof(*names); i++) {
		size_t n = strlen(names[i]);

		if (length < n || strncasecmp(host, names[i], n))
			continue;
		if (length == n || (host[n] == ':' && strspn(host + n + 1, "0123456789") == length - n - 1))
			return true;
	}
	return false;
}

static bool is_plain(const char *path)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./";

	return *path == '/' && strspn(path, letters) == strlen(path) && !strstr(path, "//") && !strstr(path, "/.");
}

int http_read(struct http_request *r, const char *text)
{
	char method[8], version[4];
	const char *host;
	size_t length = 0;
	int end = 0;

	if (sscanf(text, "%7[A-Z] %1023[^ \r\n] HTTP/1.%1[01]%n", method, r->path, version, &end) != 3 || strncmp(text + end, "\r\n", 2) != 0)
		return 400;
	r->head = !strcmp(method, "HEAD");
	if (!r->head && strcmp(method, "GET") != 0)
		return 405;
	host = header(text, "Host", &length);
	if (host && strcspn(host, " \t") < length)
		return 400;
	if (!is_this_machine(host, length))
		return 403;
	r->path[strcspn(r->path, "?")] = '\0';
	return is_plain(r->path) ? 0 : 404;
}
