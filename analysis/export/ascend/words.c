#include "analysis/export/ascend/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/trace/words.h"

const char *const layer_words[LAYERS] = { "AscendCL", "Model", "Node", "Communication", "Runtime" };

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

enum words_layer words_layer(const char *entry_point)
{
	static const struct {
		const char *begin;
		enum words_layer layer;
	} layers[] = {
		{ "aclmdl", LAYER_MODEL },
		{ "acl", LAYER_ACL },
		{ "Hccl", LAYER_COMMUNICATION },
		{ "Lccl", LAYER_COMMUNICATION },
		{ "shmem", LAYER_COMMUNICATION },
		{ "ge", LAYER_MODEL },
	};

	for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++)
		if (begins(entry_point, layers[i].begin))
			return layers[i].layer;
	return LAYER_RUNTIME;
}

void words_collective(char *text, size_t size, const char *entry_point)
{
	static const char *const others[][2] = {
		{ "HcclAlltoAll", "hcom_alltoall_" },
		{ "HcclAlltoAllV", "hcom_alltoallv_" },
		{ "HcclAlltoAllVC", "hcom_alltoallvc_" },
		{ "HcclRecv", "hcom_receive_" },
	};
	const char *rest = begins(entry_point, "Hccl") ? entry_point + 4 : NULL;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(entry_point, others[i][0])) {
			snprintf(text, size, "%s", others[i][1]);
			return;
		}
	if (rest && *rest)
		snprintf(text, size, "hcom_%c%s_", tolower((unsigned char)*rest), rest + 1);
	else
		snprintf(text, size, "%s_", entry_point);
}

bool words_receives(const char *entry_point)
{
	return !strcmp(entry_point, "HcclRecv");
}

bool words_between_two(const char *entry_point)
{
	return words_receives(entry_point) || !strcmp(entry_point, "HcclSend") || !strcmp(entry_point, "HcclBatchSendRecv");
}

const char *words_group(const struct collective *c)
{
	const struct communicator *comm = c ? c->communicator : NULL;

	if (!comm)
		return "unknown";
	return comm->name && *comm->name ? comm->name : *comm->group ? comm->group
								     : "unnamed";
}

/* As readers make it of the names in profiler_metadata.json. */
uint64_t words_group_number(const char *group)
{
	uint32_t high = 0, low = 0;

	for (; *group; group++) {
		high = high * 29 + (unsigned char)*group;
		low = low * 131 + (unsigned char)*group;
	}
	return (uint64_t)high << 32 | low;
}

const char *words_operator_type(const struct launch *operator_, const char *kernel)
{
	const char *name = operator_ && operator_->name ? operator_->name : kernel;

	return begins(name, "aclnn") && name[5] ? name + 5 : name;
}

const char *words_level(int level)
{
	static const char *const words[] = { "Level_none", "Level0", "Level1", "Level2" };

	return words[level + 1];
}

static const struct {
	const char *word;
	int number;
} directions[DIR_COUNT] = {
	[DIR_NONE] = { "other", 65535 },
	[DIR_H2D] = { "host to device", 1 },
	[DIR_D2H] = { "device to host", 2 },
	[DIR_D2D] = { "device to device", 3 },
	[DIR_H2H] = { "host to host", 0 },
	[DIR_OTHER] = { "other", 65535 },
};

const char *words_direction(enum copy_direction direction)
{
	return directions[direction].word;
}

int words_direction_number(enum copy_direction direction)
{
	return directions[direction].number;
}

const char *words_data(unsigned int type)
{
	static const char *const words[DATA_COUNT] = {
		[DATA_INT8] = "INT8",
		[DATA_INT16] = "INT16",
		[DATA_INT32] = "INT32",
		[DATA_INT64] = "INT64",
		[DATA_UINT8] = "UINT8",
		[DATA_UINT16] = "UINT16",
		[DATA_UINT32] = "UINT32",
		[DATA_UINT64] = "UINT64",
		[DATA_FP16] = "FLOAT16",
		[DATA_FP32] = "FLOAT",
		[DATA_FP64] = "DOUBLE",
		[DATA_BF16] = "DT_BF16",
		[DATA_BOOL] = "BOOL",
		[DATA_COMPLEX64] = "COMPLEX64",
		[DATA_COMPLEX128] = "COMPLEX128",
	};

	return type < DATA_COUNT && words[type] ? words[type] : type && type < DATA_COUNT ? data_words[type]
											  : "N/A";
}
