import type { Command } from "commander";
import { addGatewayOptions } from "../gateway/gateway.ts";

export const addMcpOptions = (command: Command): Command =>
	addGatewayOptions(command.description("serve usage, limits and models to coding agents, as an MCP server on stdio"));
