/* sources.h - what a page is made of, as it stands in page/. */
#pragma once

extern const char page_html[], page_css[], page_js[]; /* page_js: all of its modules, one behind the other */
