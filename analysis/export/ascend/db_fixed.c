#include "analysis/export/ascend/db_fixed.h"

#define ENUMERATION(name) "CREATE TABLE ENUM_" name " (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO ENUM_" name " VALUES "

const char db_fixed_tables[] =
	"CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);"
	"CREATE TABLE SESSION_TIME_INFO (startTimeNs INTEGER, endTimeNs INTEGER);"
	"CREATE TABLE NPU_INFO (id INTEGER, name TEXT);"
	"CREATE TABLE HOST_INFO (hostUid TEXT, hostName TEXT);"
	"CREATE TABLE RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);"
	"CREATE TABLE META_DATA (name TEXT, value TEXT);"
	"INSERT INTO META_DATA VALUES ('SCHEMA_VERSION', '1.2.0'), ('SCHEMA_VERSION_MAJOR', '1'), ('SCHEMA_VERSION_MINOR', '2'),"
	" ('SCHEMA_VERSION_MICRO', '0');"
	/* clang-format off: as they are numbered */
	ENUMERATION("API_TYPE") "(20000,'acl'),(15000,'model'),(10000,'node'),(5500,'communication'),(5000,'runtime'),(50001,'op'),"
				"(50002,'queue'),(50003,'trace'),(50004,'mstx');" ENUMERATION("MSTX_EVENT_TYPE") "(0,'marker'),(1,'push/pop'),(2,'start/end'),(3,'marker_ex');" ENUMERATION("OVERLAP_ANALYSIS_TYPE") "(0,'COMPUTE'),(1,'COMMUNICATION'),(2,'COMM_NOT_OVERLAP_COMP'),(3,'FREE');" ENUMERATION("MEMCPY_OPERATION") "(0,'host to host'),(1,'host to device'),(2,'device to host'),(3,'device to device'),"
																																								 "(4,'managed memory'),(5,'addr device to device'),(6,'host to device ex'),(7,'device to host ex'),(65535,'other');" ENUMERATION("HCCL_TRANSPORT_TYPE") "(0,'SDMA'),(1,'RDMA'),(2,'LOCAL'),(3,'UB'),(4,'ROCE'),(255,'RESERVED'),(65534,'N/A'),"
																																																											"(65535,'INVALID_TYPE');" ENUMERATION("HCCL_LINK_TYPE") "(0,'ON_CHIP'),(1,'HCCS'),(2,'PCIE'),(3,'ROCE'),(4,'SIO'),(5,'HCCS_SW'),(6,'STANDARD_ROCE'),(7,'UB'),"
																																																																		"(8,'UBoE'),(255,'RESERVED'),(65534,'N/A'),(65535,'INVALID_TYPE');" ENUMERATION("HCCL_RDMA_TYPE") "(0,'RDMA_SEND_NOTIFY'),(1,'RDMA_SEND_PAYLOAD'),(255,'RESERVED'),(65534,'N/A'),(65535,'INVALID_TYPE');" ENUMERATION("HCCL_DATA_TYPE") "(0,'INT8'),(1,'INT16'),(2,'INT32'),(3,'FP16'),(4,'FP32'),(5,'INT64'),(6,'UINT64'),(7,'UINT8'),"
																																																																																															"(8,'UINT16'),(9,'UINT32'),(10,'FP64'),(11,'BFP16'),(12,'INT128'),(14,'HIF8'),(15,'FP8E4M3'),(16,'FP8E5M2'),(17,'FP8E8M0'),"
																																																																																															"(255,'RESERVED'),(65534,'N/A'),(65535,'INVALID_TYPE');";

const char db_analysis_tables[] =
	"CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC,"
	" transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC, idle_time NUMERIC, step TEXT, type TEXT);"
	"CREATE TABLE CommAnalyzerBandwidth (hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC,"
	" transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC,"
	" total_duration NUMERIC, step TEXT, type TEXT);"
	/* CommAnalyzerMatrix has no rows: how much went by which link is not known, and readers divide by it */
	"CREATE TABLE CommAnalyzerMatrix (hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT,"
	" transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, op_name TEXT);"
	"CREATE TABLE StepTraceTime (deviceId INTEGER, step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC,"
	" overlapped NUMERIC, communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC,"
	" communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC);";
/* clang-format on */

const char db_ranges_without_tasks[] = "UPDATE MSTX_EVENTS SET connectionId = 4294967295 WHERE eventType > 0 AND connectionId NOT IN (SELECT connectionId FROM TASK)";
