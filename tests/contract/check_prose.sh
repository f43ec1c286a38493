#!/bin/sh
# Documents: lines that a diff can show, a README that fits, and links and paths that lead somewhere.
. "$(dirname "$0")/../lib/lib.sh"
need git
git -C "$here" ls-files --error-unmatch README.md >/dev/null 2>&1 || { echo 'skip: this tree is no clone'; exit 77; }

# keeps NAME RULE: no document of the tree breaks it; each place that does is told.
keeps() {
	if python3 "$here/tests/contract/check_prose.py" "$here" "$2" >"$tmp/faults" 2>&1; then
		ok "$1"
	else
		sed 's/^/FAIL /' "$tmp/faults"
		fail "$1" "$(wc -l <"$tmp/faults") of them"
	fi
}

keeps prose_ends_at_100_characters lines
keeps the_readme_has_120_lines_at_most readme
keeps links_and_pictures_lead_to_tracked_files links
keeps files_named_in_documents_exist paths

# The check itself must be able to say no: one fault of each rule beside what is exempt.
mkdir -p "$tmp/wrong/docs" && cd "$tmp/wrong" || exit 1
git init -q
long=$(printf '%0101d' 0)
printf '%s\n' "$long" "| $long |" '```' "$long" "[$long](docs/gone.md)" '```' "* [$long](docs/a.md)" >README.md
yes '' | head -n 114 >>README.md
# shellcheck disable=SC2016
printf '%s\n' '# A heading' '[one](a.md#a-heading) [two](a.md#none) ![three](gone.png) [four](https://gone.example)' \
	'`docs/a.md`, `a.py`, `docs/` and `docs/{a,b}.md`' '`gone.c`' '```sh file=a.py' '`docs/gone.md`' '```' >docs/a.md
git add .
for rule in lines readme links paths; do
	python3 "$here/tests/contract/check_prose.py" . $rule | sed 's/: .*//' >"found.$rule"
done
equal a_long_line_is_found "$(cat found.lines)" 'README.md:1'
equal a_long_readme_is_found "$(cat found.readme)" 'README.md:121'
equal broken_links_are_found "$(tr '\n' ' ' <found.links)" 'docs/a.md:2 docs/a.md:2 '
equal missing_files_are_found "$(tr '\n' ' ' <found.paths)" 'docs/a.md:3 docs/a.md:4 '
finish
