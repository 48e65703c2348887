import { agentsChat, agentsResponses } from "./agents.ts";
import { describeClient } from "./suite.ts";

describeClient("@openai/agents, Chat Completions", agentsChat);
describeClient("@openai/agents, Responses", agentsResponses);
