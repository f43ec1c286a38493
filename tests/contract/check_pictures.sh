#!/bin/sh
# The pictures that documents show: there, PNG, small, and none that no document shows.
# scripts/dev/pictures makes them; what it left is looked at here, without a browser.
. "$(dirname "$0")/../lib/lib.sh"

cd "$here" || exit 1
largest=$((200 * 1024))

# A line for each picture shown: its path from the root, the document, the text for who does not see it.
for document in *.md docs/*.md docs/*/*.md; do
	grep -o '!\[[^]]*]([^)]*)' "$document" |
		sed "s|^!\[\(.*\)](\([^) ]*\).*|$(dirname "$document")/\2 $document \1|; s|^\./||"
done >"$tmp/shown"

while read -r path document text; do
	[ -f "$path" ] || echo "$path" >&3
	[ ${#text} -ge 20 ] || echo "$path in $document" >&4
done <"$tmp/shown" 3>"$tmp/absent" 4>"$tmp/mute"

is_png() {
	[ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] &&
		[ "$(tail -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 49454e44ae426082 ]
}

for path in docs/pictures/*; do
	is_png "$path" || echo "$path" >&3
	[ "$(wc -c <"$path")" -le $largest ] || echo "$path" >&4
	grep -q "^$path " "$tmp/shown" || echo "$path" >&5
done 3>"$tmp/others" 4>"$tmp/large" 5>"$tmp/hidden"

# none NAME LIST: no picture is in that list
none() { equal "$1" "$(tr '\n' ' ' <"$tmp/$2")" ''; }

for name in timeline report; do
	holds "the_readme_shows_the_$name" grep "^docs/pictures/$name.png README.md " "$tmp/shown"
done
none every_picture_that_a_document_shows_is_there absent
none every_picture_has_a_text_that_tells_what_it_shows mute
none every_picture_is_a_whole_PNG others
none no_picture_is_larger_than_200_KiB large
none every_picture_is_shown_by_a_document hidden
finish
