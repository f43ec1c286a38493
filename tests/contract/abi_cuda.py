"""abi_cuda.py rows|undeclared|abis|layouts|values HOOKS PREPROCESSED [WITHOUT]: what our files say of CUDA, as C++ behind a vendor's headers.

PREPROCESSED is a header after the preprocessor, so that names are those of symbols. What is printed goes behind it; a compiler
says whether both agree. The last line is a comment with how many were compared.

rows     each row whose function the header declares has its type. WITHOUT: a file of `symbol reason` lines, of rows that differ;
undeclared  (names, no C++) rows of runtime and driver whose functions the header does not declare
abis     each line of abis.def has a type in cudaTypedefs.h, and the row of its symbol has that (scripts/dev/gen-abis tells of lines that are
         missing)
layouts  structures of an abi.h, their sizes and the places of their members; its other types and its numbers
values   numbers of results.def
library_rows, library_values  those of libraries that have folders of their own (cuBLAS ...), alone
"""
import collections
import pathlib
import re
import sys

ROW = re.compile(r"^HOOK\w*\((?:([^,()]+), *)?(\w+), *(\((?:[^()]|\([^()]*\))*\))", re.M)
STREAMS = {"LEGACY_STREAM": [""], "PER_THREAD_STREAM": ["_ptsz", "_ptds"]}


def rows(hooks, files="**/*.def"):
    """{symbol: (return type, parameters)}; those of runtime and driver lie in *.def, those of other libraries in folders of their own"""
    found = {}
    for path in sorted((hooks / "cuda").glob(files)):
        for ret, symbol, params in ROW.findall(path.read_text()):
            found[symbol] = (ret.strip() or "void", params)
    return found


# Names of types that are macros in the header.
MACROS = {"cudaStreamAttrID": "cudaLaunchAttributeID", "cudaStreamAttrValue": "cudaLaunchAttributeValue", "cublasStatus": "cublasStatus_t"}


# The structure for copies inside a context has no names for what that between contexts has.
RESERVED = {"srcContext": "reserved0", "dstContext": "reserved1"}
NEW_IN_9 = "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED"


def said_words(text):
    return set(re.findall(r"\w+", text))


def declared(name, row):
    return f"namespace our_rows {{ {row[0]} {name}{row[1]}; }}\n"


def left_out(path):
    return {line.split()[0] for line in path.read_text().splitlines() if line and not line.startswith("#")} if path else set()


def functions(text):
    return set(re.findall(r"\b(\w+)\s*\(", text))


def rows_of(hooks, text, without, files="**/*.def"):
    """A call through &:: picks one of several functions of the name in C++."""
    said = functions(text)
    ours = {s: r for s, r in rows(hooks, files).items() if s in said and s not in without}
    yield "".join(f"typedef {real} {name};\n" for name, real in MACROS.items() if real in said_words(text))
    for symbol, row in sorted(ours.items()):
        yield declared(symbol, row) + f"static decltype(our_rows::{symbol}) *const row_{symbol} = &::{symbol};\n"
    yield f"// {len(ours)}\n"


def undeclared_of(hooks, text, _):
    return (f"{symbol}\n" for symbol in sorted(rows(hooks, "*.def").keys() - functions(text)))


def abis(hooks):
    text = (hooks / "cuda/abis.def").read_text()
    return re.findall(r"^ABI\((\w+), (\d+), (\w+), (\w+)\)", text, re.M)


def abis_of(hooks, text, without):
    types = set(re.findall(r"\bPFN_(cu\w+_v\d+(?:_pt[sd][sz])?)\b *\)", text))
    ours, count = rows(hooks), 0
    here = int(re.search(r"\bcuda_version_here = (\d+)", text)[1])
    yield "template <class A, class B> struct same { static const bool value = false; };\ntemplate <class A> struct same<A, A> { static const bool value = true; };\n"
    for name, version, streams, symbol in abis(hooks):
        if int(version) > here:
            continue
        fitting = [t for end in STREAMS[streams] for t in [f"{name}_v{version}{end}"] if t in types]
        if not fitting:
            yield f'static_assert(false, "no type of {name} {version} {streams}");\n'
        elif symbol in ours and symbol not in without:
            count += 1
            yield declared(symbol, ours[symbol]) + f'static_assert(same<decltype(&our_rows::{symbol}), PFN_{fitting[0]}>::value, "{symbol}");\n'
    yield f"// {count}\n"


def layouts_of(_, text, __):
    """text: abi.h after the preprocessor. A program that prints; compiled with each."""
    yield "#include <cstdio>\n#include <cstddef>\nint main() {\n"
    count = 0
    for members, names in re.findall(r"typedef struct \{([^{}]*)\} ([\w, ]+);", text):
        for name in names.replace(" ", "").split(","):
            yield f'std::printf("{name} %zu\\n", sizeof({name}));\n'
            for member in re.findall(r"\b(\w+)(?:\[\w+\])?(?=[,;])", members):
                count += 1
                real = RESERVED.get(member, member) if re.match("CUDA_MEMCPY3D_v", name) else member
                yield f'#ifdef OURS\nstd::printf("{name}.{member} %zu\\n", offsetof({name}, {member}));\n#else\n'
                yield f'std::printf("{name}.{member} %zu\\n", offsetof({name}, {real}));\n#endif\n'
    for group in re.findall(r"typedef (?:int32_t|uint32_t|uint64_t|void \*)((?:\s*\*?\w+,?)+);", text):
        for name in re.findall(r"\w+", group):
            count += 1
            yield f'std::printf("{name} %zu\\n", sizeof({name}));\n'
    for group in re.findall(r"\benum \{([^{}]*)\}", text):
        for name in re.findall(r"\b[A-Z]\w+", group):
            count += 1
            yield f'std::printf("{name} %d\\n", (int){name});\n'
    yield "}\n" + f"// {count}\n"


def values_of(hooks, text, _, files="**/results.def"):
    """cuDNN 9 has numbers of its own, and some names of 8 for other ones of these."""
    codes, said = collections.defaultdict(list), said_words(text)
    for path in sorted((hooks / "cuda").glob(files)):
        for code, name in re.findall(r"^RESULT\(\w+, (\d+), (\w+)\)", path.read_text(), re.M):
            of_9 = int(code) >= 1000 if name.startswith("CUDNN") else NEW_IN_9 in said
            if name in said and of_9 == (NEW_IN_9 in said):
                codes[name].append(code)
    for name, its in codes.items():
        yield f'static_assert({" || ".join(f"(int){name} == {code}" for code in its)}, "{name}");\n'
    yield f"// {len(codes)}\n"


WHAT = {
    "rows": rows_of, "undeclared": undeclared_of, "abis": abis_of, "layouts": layouts_of, "values": values_of,
    "library_rows": lambda *of: rows_of(*of, "*/*.def"), "library_values": lambda *of: values_of(*of, "*/results.def"),
}


def main():
    what, hooks, text = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).read_text()
    without = left_out(pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None)
    sys.stdout.write("".join(WHAT[what](hooks, text, without)))


if __name__ == "__main__":
    main()
