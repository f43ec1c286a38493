# abi.sh - a vendor's rows against headers: a row whose function they declare is declared once more, and a C++ compiler says
# whether that is the same function. For tests that stand in $tmp; $rows is the folder of the vendor's rows.
# shellcheck shell=sh disable=SC2154

# abi_headers HEADER...: real.h includes those that are there
abi_headers() {
	printf '#include <stddef.h>\n#include <stdint.h>\n' >real.h
	for header in "$@"; do
		printf '#if __has_include("%s")\n#include "%s"\n#endif\n' "$header" "$header" >>real.h
	done
}

# abi_rows FOLDER PATTERN: the declarations of its rows whose symbols fit, one a line
abi_rows() { python3 "$here/tests/lib/abi_rows.py" "$@"; }

# abi_declared NAME FOLDER INCLUDE...: NAME.cc declares again those rows that the headers declare; their names in NAME.rows.
# $abi_older: `new=old` names of types in older headers
abi_declared() {
	name=$1 folder=$2
	shift 2
	flags=$(printf ' -I%s' "$@")
	# shellcheck disable=SC2086
	g++ -std=gnu++17 -E -P $flags real.h >"$name.i" 2>"$name.errors" || return 1
	python3 "$here/tests/lib/abi_rows.py" --again "$name" "$folder" ${abi_older-}
	# shellcheck disable=SC2086
	g++ -std=gnu++17 -fsyntax-only -Wno-attributes -I. $flags "$name.cc" >"$name.errors" 2>&1
}
abi_count() { wc -l <"$1.rows"; }

# abi_alike NAME COUNT LEAST DIFFERENCES: there are none, in as many as were compared, and these are not too few
abi_alike() { if [ "$2" -lt "$3" ]; then fail "$1" "only $2 were compared"; else equal "$1 ($2)" "$4" ''; fi; }

# abi_refused NAME FILE SED INCLUDE...: with one row of a file of $rows changed, the headers say no
abi_refused() {
	name=$1 file=$2 change=$3
	shift 3
	rm -rf wrong && cp -r "$rows" wrong
	sed -i "$change" "wrong/$file"
	if cmp -s "wrong/$file" "$rows/$file"; then
		fail "$name" 'the row was not found'
	elif (abi_declared wrong_rows wrong "$@"); then
		fail "$name" 'it was accepted'
	else
		holds "$name" grep -qE 'conflicting|ambiguat' wrong_rows.errors
	fi
}
