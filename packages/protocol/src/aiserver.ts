// Every message and service of aiserver.v1, so that imports do not depend on which proto file has a type.
export * from "./gen/aiserver/v1/ai_service_pb.ts";
export * from "./gen/aiserver/v1/analytics_pb.ts";
export * from "./gen/aiserver/v1/bidi_pb.ts";
export * from "./gen/aiserver/v1/chat_common_pb.ts";
export * from "./gen/aiserver/v1/chat_pb.ts";
export * from "./gen/aiserver/v1/chat_tools_pb.ts";
export * from "./gen/aiserver/v1/code_pb.ts";
export * from "./gen/aiserver/v1/dashboard_pb.ts";
export * from "./gen/aiserver/v1/error_pb.ts";
export * from "./gen/aiserver/v1/legacy_chat_pb.ts";
export * from "./gen/aiserver/v1/models_pb.ts";
export * from "./gen/aiserver/v1/server_config_pb.ts";
