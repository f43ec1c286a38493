/*
 * mspti.h - device times by msPTI, CANN's own tool: used where the user preloads libmspti.so and nobody else has subscribed.
 * It tells when each kernel ran, and each collective if it is new enough. What it tells of copies and fills are times of the host.
 *
 * Of some collectives nothing comes (those that the device itself takes apart), of others it comes late: they are timed by
 * events as well.
 */
#pragma once
#include "agent/base/attributes.h"
#include "hooks/capture/records/record_tool.h"

extern struct record_tool mspti_tool OURS;
