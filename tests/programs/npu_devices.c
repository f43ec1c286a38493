/*
 * npu_devices.c - a program on CANN that drives several devices. Each word is a move: all:N makes communicators of N ranks, on devices from 0
 * on; reversed:N the same with the last device first; met:NAME:SIZE:FIRST:N one of SIZE ranks, of which N from FIRST on are here, each made by
 * a thread of its own; work:A,B,... A fills on the first device, B on the second, and so on.
 */
#include "tests/lib/told_words.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int HcclCommInitAll(uint32_t ndev, int32_t *devices, void **comms);
int HcclCommInitRootInfo(uint32_t ranks, const void *root, uint32_t rank, void **comm);
int aclrtSetDevice(int32_t device);
int aclrtCreateStream(void **stream);
int aclrtMemsetAsync(void *place, size_t most, int32_t value, size_t size, void *stream);
int aclrtSynchronizeStream(void *stream);

#define DEVICES 8
#define ROOT	4108
static char root[ROOT];
static uint32_t size, first;

static void make_all(uint32_t n, int reversed)
{
	int32_t devices[DEVICES];
	void *comms[DEVICES];

	for (uint32_t i = 0; i < n; i++)
		devices[i] = (int32_t)(n - 1 - i);
	HcclCommInitAll(n, reversed ? devices : NULL, comms);
}

static void *meet(void *device)
{
	void *comm;

	aclrtSetDevice((int32_t)(intptr_t)device);
	HcclCommInitRootInfo(size, root, first + (uint32_t)(uintptr_t)device, &comm);
	return NULL;
}

static void make_met(const char *told)
{
	pthread_t threads[DEVICES];
	unsigned int here;

	memset(root, 0, sizeof(root));
	if (sscanf(told, "%31[^:]:%u:%u:%u", root, &size, &first, &here) != 4)
		exit(2);
	for (uintptr_t i = 0; i < here; i++)
		pthread_create(&threads[i], NULL, meet, (void *)i);
	for (unsigned int i = 0; i < here; i++)
		pthread_join(threads[i], NULL);
}

static void work(const char *counts)
{
	static char place[64];
	void *stream;

	for (int32_t device = 0; *counts; device++) {
		aclrtSetDevice(device);
		aclrtCreateStream(&stream);
		for (int n = atoi(counts); n; n--)
			aclrtMemsetAsync(place, sizeof(place), 0, sizeof(place), stream);
		aclrtSynchronizeStream(stream);
		counts += strcspn(counts, ",");
		counts += *counts == ',';
	}
}

static void tell(char *word, int i)
{
	const char *told = strchr(word, ':') + 1;

	(void)i;
	if (!strncmp(word, "met:", 4))
		make_met(told);
	else if (!strncmp(word, "work:", 5))
		work(told);
	else
		make_all((uint32_t)atoi(told), *word == 'r');
}

int main(int argc, char **argv)
{
	return tell_words(argc, argv, tell);
}
