#include "analysis/launch/preset_choice.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/launch/python_ask.h"
#include "config/preset.h"

#define QUESTION_SIZE 4096
#define ANSWERS	      4	  /* more packages than one command is asked about */
#define THERE	      "?" /* it is there, of an unknown version */

static char *const *the_command;
static const char *the_wanted = "";
static char the_folder[PATH_MAX]; /* of the command's program; empty: there is none */
static struct answer {
	char package[64], version[64];
} the_answers[ANSWERS];		 /* of those that were asked for */
static bool the_moved, the_lost; /* it runs in another folder than this; so its own is not known */

void preset_moves(void)
{
	the_moved = true;
}

void preset_wanted(const char *wanted)
{
	the_wanted = wanted;
}

void preset_command(char *const *command)
{
	the_command = command;
}

/* Of a link Python takes the file's folder. */
void preset_program(const char *word, bool module)
{
	char file[PATH_MAX];
	const char *path = !module && realpath(word, file) ? file : word, *slash = strrchr(path, '/');

	if (module || !slash)
		snprintf(the_folder, sizeof(the_folder), ".");
	else
		snprintf(the_folder, sizeof(the_folder), "%.*s", (int)(slash + 1 - path), path);
	the_lost = the_moved && (module || *word != '/');
	memset(the_answers, 0, sizeof(the_answers));
}

/* ---- what is there ---- */

static const char reading[] = PYTHON_QUESTION
	"import importlib.metadata, re\n"
	"def text(path):\n"
	"    top, *rest = path.split('/')\n"
	"    spec = importlib.util.find_spec(top)\n"
	"    for place in spec and spec.submodule_search_locations or ():\n"
	"        try:\n"
	"            with open(os.path.join(place, *rest), errors='replace') as file:\n"
	"                return file.read()\n"
	"        except OSError:\n"
	"            pass\n"
	"def in_file(path, pattern):\n"
	"    found = re.findall(pattern, text(path) or '', re.M)\n"
	"    return '.'.join(found) if len(found) in (1, 3) else ''\n"
	"def by_sign(path, sign, version):\n"
	"    found = text(path)\n"
	"    return version if found is not None and sign in found else ''\n"
	"def installed(package, vague):\n"
	"    version = importlib.metadata.version(package)\n"
	"    return '" THERE "' if version == vague else version\n";

/* A path in Python's letters, whatever is in it. */
static void put_folder(char question[QUESTION_SIZE])
{
	size_t used = strlen(question);

	used += (size_t)snprintf(question + used, QUESTION_SIZE - used, "getattr(sys.flags, 'safe_path', False) or sys.path.insert(0, os.path.abspath(os.fsdecode(bytes.fromhex('");
	for (const char *c = the_folder; *c && used + 64 < QUESTION_SIZE; c++)
		used += (size_t)snprintf(question + used, QUESTION_SIZE - used, "%02x", (unsigned char)*c);
	snprintf(question + used, QUESTION_SIZE - used, "'))))\n");
}

/* What it is imported from goes before the number that its package has. */
static void put_answers(char question[QUESTION_SIZE], const char *package)
{
	static const struct {
		const char *package, *answer;
	} rows[] = {
#define VERSION_FILE(package, path, pattern)	   { package, "in_file('" path "', r'" pattern "')" },
#define VERSION_SIGN(package, path, text, version) { package, "by_sign('" path "', '" text "', '" version "')" },
#include "analysis/launch/version_signs.def"
	};
	static const char *const vague[][2] = {
#define VERSION_VAGUE(package, version) { package, version },
#include "analysis/launch/version_signs.def"
	};
	size_t used = strlen(question);
	const char *of_several = "";

	for (size_t i = 0; i < sizeof(vague) / sizeof(vague[0]); i++)
		if (!strcmp(vague[i][0], package))
			of_several = vague[i][1];
	used += (size_t)snprintf(question + used, QUESTION_SIZE - used, "answer(");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && used < QUESTION_SIZE; i++)
		if (!strcmp(rows[i].package, package))
			used += (size_t)snprintf(question + used, QUESTION_SIZE - used, "%s or ", rows[i].answer);
	if (used < QUESTION_SIZE)
		snprintf(question + used, QUESTION_SIZE - used, "installed('%s', '%s'))\n", package, of_several);
}

/* What Python says of a package, asked once: its version, THERE, or "", if it is not there. */
static const char *answer_of(const char *package)
{
	struct answer *a = the_answers;
	char question[QUESTION_SIZE];

	while (a < the_answers + ANSWERS - 1 && *a->package && strcmp(a->package, package))
		a++;
	if (!the_command || !strcmp(a->package, package))
		return a->version;
	snprintf(a->package, sizeof(a->package), "%s", package);
	a->version[0] = '\0';
	snprintf(question, sizeof(question), "%s", reading);
	if (*the_folder && !the_lost)
		put_folder(question);
	put_answers(question, package);
	python_ask(the_command, question, a->version, sizeof(a->version));
	return a->version;
}

/* NULL: it cannot be told. */
static const char *version_there(const char *package)
{
	const char *version = the_lost ? "" : answer_of(package);

	return *version && strcmp(version, THERE) ? version : NULL;
}

/* The preset of that package which was asked for with its version; NULL: none was. */
static const struct preset *named_in_full(const char *package)
{
	const struct preset *p = *the_wanted ? preset_find(the_wanted) : NULL;

	return p && !strcmp(p->name, the_wanted) && !strcmp(p->package, package) && p->name[preset_kind(p)] ? p : NULL;
}

/* Of the versions that a preset is for the one that is there tells more than its name. */
const char *preset_version(const char *package)
{
	const struct preset *named = named_in_full(package);
	const char *version = version_there(package);

	return named && !(version && preset_for(named, version) == named) ? named->from : version;
}

bool preset_is_there(const char *package)
{
	return named_in_full(package) || *answer_of(package);
}

/* ---- choosing ---- */

static void tell_untold(const struct preset *p, const char *taken)
{
	char others[512];

	preset_others(p, "--preset ", others, sizeof(others));
	fprintf(stderr, "ranktrace: the version of %s could not be told: %s%s%s%s\n", p->package, taken, *others ? " (another: " : "", others, *others ? ")" : "");
}

static void take_newest(const struct preset *p, bool settings_too)
{
	char taken[256];

	snprintf(taken, sizeof(taken), "preset %s, the newest%s", p->name, settings_too ? ", and the trainer's settings mean what they do there" : "");
	tell_untold(p, taken);
}

/* Its settings are read beside another's preset. */
static void tell_of_settings(const char *package)
{
	const struct preset *p = preset_find(package);
	char taken[256];

	if (!p)
		return;
	snprintf(taken, sizeof(taken), "its settings mean what they do from %s on, the newest", p->from);
	tell_untold(p, taken);
}

void preset_choose(struct config *c, const char *untold)
{
	const struct preset *p = *c->preset ? preset_find(c->preset) : NULL;
	const char *version;

	if (p && untold && strcmp(untold, p->package))
		tell_of_settings(untold);
	if (!p || !strcmp(p->name, c->preset))
		return;
	version = preset_version(p->package);
	if (version) {
		p = preset_for(p, version);
		snprintf(c->preset_version, sizeof(c->preset_version), "%.24s", version);
		fprintf(stderr, "ranktrace: %s %s: preset %s%s\n", p->package, version, p->name,
			preset_knows(p, version) ? "" : ", the nearest: functions of this version have not been looked up");
	} else {
		take_newest(p, untold && !strcmp(untold, p->package));
	}
	snprintf(c->preset, sizeof(c->preset), "%s", p->name);
}
