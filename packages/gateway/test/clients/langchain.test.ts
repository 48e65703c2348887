import { langchainAnthropic, langchainChat, langchainResponses } from "./langchain.ts";
import { describeClient } from "./suite.ts";

describeClient("@langchain/openai, Chat Completions", langchainChat);
describeClient("@langchain/openai, Responses", langchainResponses);
describeClient("@langchain/anthropic", langchainAnthropic);
