#include "analysis/html/sources.h"

#define FILE(name)	    "\t.incbin \"analysis/html/page/" name "\"\n"
#define TEXT(symbol, files) ".globl " symbol "\n\t.hidden " symbol "\n" symbol ":\n" files "\t.byte 0\n"

/* clang-format off */
__asm__(".pushsection .rodata.page, \"a\", @progbits\n"
	TEXT("page_html", FILE("page.html"))
	TEXT("page_css", FILE("page.css"))
	TEXT("page_js", FILE("data.js") FILE("format.js") FILE("elements.js") FILE("theme.js") FILE("why.js") FILE("steps.js")
		FILE("heat.js") FILE("lanes.js") FILE("draw.js") FILE("timeline.js") FILE("search.js") FILE("memory.js")
		FILE("tables.js") FILE("page.js"))
	".popsection");
