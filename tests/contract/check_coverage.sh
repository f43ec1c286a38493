#!/bin/sh
# docs/coverage-*.md against the rows as they are, and the script that makes it on a wheel of our own.
. "$(dirname "$0")/../lib/lib.sh"

need python3
coverage() { "$here/scripts/dev/coverage" ascend "$@"; }
document=$here/docs/coverage-ascend.md
cd "$tmp" || exit 1
holds every_name_that_torch_npu_calls_is_hooked_or_has_a_reason coverage --check "$tool" "$document"
holds every_name_of_cuda_that_torch_calls_too "$here/scripts/dev/coverage" cuda --check "$tool" "$here/docs/coverage-cuda.md"

# refused NAME WHY: what was made of the document is not believed, and for that reason
refused() {
	if coverage --check "$tool" changed.md >out 2>&1; then
		fail "$1" 'it was believed'
	else
		holds "$1" grep -q "$2" out
	fi
}
sed 's/^\(| `aclrtStreamQuery` .*| \)not: asks |$/\1**missing** |/' "$document" >changed.md
refused a_name_that_is_missing_is_told 'aclrtStreamQuery is missing'
sed 's/^\(| `aclrtStreamQuery` .*| \)not: asks |$/\1hooked: sync |/' "$document" >changed.md
refused a_name_that_has_no_row_is_not_hooked "aclrtStreamQuery is said to be 'hooked: sync'"
sed 's/^\(| `aclrtMalloc` .*| \)hooked: alloc |$/\1not: asks |/' "$document" >changed.md
refused a_name_that_has_a_row_is_hooked "aclrtMalloc is said to be 'not: asks'"

cat >called.c <<'P'
extern int aclrtMalloc(void), aclrtNotHeardOf(void), aclInit(void), puts(const char *);
const char *const looked_up[] = { "aclrtMemcpyBatch", "aclnnUnheardOf", "aclnnUnheardOfGetWorkspaceSize", "HcclNew", "another text", "aclrtMalloc in a text",
	"cuMemGetUnheardOf", "cudaGetDevice", "cudaMalloc", "cudnn_operator", "cudnnGetUnheardOf", "ncclGetUnheardOf" };
int call(void) { return aclrtMalloc() + aclrtNotHeardOf() + aclInit() + puts(looked_up[0]); }
P
${CC:-gcc} -shared -fPIC -o libcaller.so called.c
python3 -c 'import zipfile; zipfile.ZipFile("made_up-1.2.3-py3-none-any.whl", "w").write("libcaller.so", "made_up/libcaller.so")'
coverage "$tool" made_up-1.2.3-py3-none-any.whl >made.md
equal what_a_wheel_calls_is_found "$(grep '^| `' made.md)" '| `aclInit` | I | not: sets up |
| `aclrtMalloc` | I | hooked: alloc |
| `aclrtMemcpyBatch` | L | hooked: copy |
| `aclrtNotHeardOf` | I | **missing** |
| `HcclNew` | L | **missing** |'
equal and_counted "$(grep '^| 1.2.3' made.md)" '| 1.2.3 | 1 | 3 | 2 | 2 | 2 | 1 | 2 |'
equal names_of_cuda_that_nobody_looked_at_are_missing "$("$here/scripts/dev/coverage" cuda "$tool" made_up-1.2.3-py3-none-any.whl | grep '^| `')" '| `cudaGetDevice` | L | not: asks |
| `cudaMalloc` | L | hooked: alloc |
| `cudnnGetUnheardOf` | L | **missing** |
| `cuMemGetUnheardOf` | L | **missing** |
| `ncclGetUnheardOf` | L | **missing** |'

# A library by itself, as another vendor's callers may come, is a column under its name.
coverage "$tool" libcaller.so >made.md
equal so_is_what_a_library_calls "$(grep '^| libcaller.so' made.md)" '| libcaller.so | 1 | 3 | 2 | 2 | 2 | 1 | 2 |'
cp made.md again.md
coverage --update "$tool" again.md
equal and_it_is_read_again_from_the_document "$(cmp made.md again.md)" ''
finish
