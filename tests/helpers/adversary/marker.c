/* A libms_tools_ext.so with one function. */
void mstxMarkA(const char *message, void *stream);

void mstxMarkA(const char *message, void *stream)
{
	(void)message, (void)stream;
}
