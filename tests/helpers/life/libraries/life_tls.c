/* 256 bytes of the static TLS that libraries loaded late must share. */
static __thread char bytes[256] __attribute__((tls_model("initial-exec")));

char *tls_bytes(void);
char *tls_bytes(void)
{
	return bytes;
}
