/* check_demangle.c - kernels' names of C++ for people; names that grow without end, and what is none, stay as they are. */
#include "analysis/util/demangle.h"

#include <string.h>

#include "tests/lib/unit.h"

START_TEST(names_are_as_their_source_has_them)
{
	static const char *const names[][2] = {
		{ "_Z3addPff", "add(float*, float)" },
		{ "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EELb0EEEviT0_T1_",
		  "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul>, false>(int, "
		  "at::native::FillFunctor<float>, std::array<char*, 1ul>)" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *shown = demangle(names[i][0]);

#ifdef HAVE_DEMANGLER
		ck_assert_ptr_nonnull(shown);
		ck_assert_str_eq(shown, names[i][1]);
#else
		ck_assert_ptr_null(shown);
#endif
		free(shown);
	}
}
END_TEST

START_TEST(what_is_no_name_of_cpp_is_none)
{
	static const char *const names[] = { "", "add", "_Z", "_Z99", "_ZN", "triton_poi_fused_add_0", "_ZN2at6native" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_ptr_null(demangle(names[i]));
}
END_TEST

/* f(P<P<..., ...>, P<..., ...>>), each half as long as the whole: 2 to the 34th ints in 200 bytes. */
static void twice_as_long_each_time(char *name)
{
	char *end = name + sprintf(name, "_Z1f1PI");
	enum { LEVELS = 34 };

	for (int i = 1; i < LEVELS; i++)
		end += sprintf(end, "S_I");
	end += sprintf(end, "iiE");
	for (int i = 0; i < LEVELS - 1; i++)
		end += sprintf(end, "S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
}

START_TEST(a_name_that_grows_without_end_is_left_alone)
{
	char name[512];

	twice_as_long_each_time(name);
	ck_assert_ptr_null(demangle(name));
}
END_TEST

START_TEST(nor_is_a_long_one_read)
{
	static char name[1 << 20];

	memset(name, 'P', sizeof(name) - 1);
	memcpy(name, "_Z1f", 4);
	ck_assert_ptr_null(demangle(name));
	name[4000] = 'i';
	name[4001] = '\0';
	free(demangle(name));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("demangle");

	tcase_add_test(t, names_are_as_their_source_has_them);
	tcase_add_test(t, what_is_no_name_of_cpp_is_none);
	tcase_add_test(t, a_name_that_grows_without_end_is_left_alone);
	tcase_add_test(t, nor_is_a_long_one_read);
	return unit_run("demangle", t);
}
