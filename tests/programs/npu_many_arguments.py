"""npu_many_arguments.py NAME...: writes library.c and program.c: the n-th operator's first phase has n + 1 arguments, of which the last two are
where the size and the plan go; it looks at each of them. The program calls each operator three times and prints how many calls came out right."""
import sys

library = open("library.c", "w")
program = open("program.c", "w")
for file in (library, program):
    file.write("#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n")
calls = []
for count, name in enumerate(sys.argv[1:], 2):
    numbers = range(count - 2)
    first = f"int {name}GetWorkspaceSize({''.join(f'uint64_t a{i}, ' for i in numbers)}uint64_t *size, void **plan)"
    second = f"int {name}(void *workspace, uint64_t size, void *plan, void *stream)"
    wrong = " || ".join(f"a{i} != {1000 * count + i}" for i in numbers) or "0"
    library.write(f"{first}\n{{\n\tif ({wrong})\n\t\treturn 1;\n\t*size = {count};\n\t*plan = calloc(1, 64);\n\t*(int *)*plan = {count};\n\treturn 0;\n}}\n")
    library.write(f"{second}\n{{\n\treturn workspace || stream || size != {count} || *(int *)plan != {count};\n}}\n")
    program.write(f"{first};\n{second};\n")
    given = "".join(f"{1000 * count + i}, " for i in numbers)
    calls.append(f"\tplan = NULL;\n\tright += !{name}GetWorkspaceSize({given}&size, &plan) && !{name}(NULL, size, plan, NULL);\n")
program.write("int main(void)\n{\n\tuint64_t size = 0;\n\tvoid *plan;\n\tint right = 0;\n\n\tfor (int i = 0; i < 3; i++) {\n" + "".join(calls) + '\t}\n\tprintf("%d\\n", right);\n}\n')
