import type { Target } from "./client.ts";

/** Programs that show how the usual SDKs reach the gateway. The key is never in them. */
export const SDK_SNIPPETS: Readonly<Record<string, (target: Pick<Target, "url" | "model">) => string>> = {
	"openai (JavaScript)": ({ url, model }) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${url}/v1", apiKey: process.env.CURSORWIRE_KEY });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Say hello" }],
});
console.log(answer.choices[0].message.content);`,
	"openai (Python)": ({ url, model }) => `import os
from openai import OpenAI

client = OpenAI(base_url="${url}/v1", api_key=os.environ["CURSORWIRE_KEY"])
answer = client.responses.create(model="${model}", input="Say hello")
print(answer.output_text)`,
	"@anthropic-ai/sdk (JavaScript)": ({ url, model }) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${url}", apiKey: process.env.CURSORWIRE_KEY });
const answer = await client.messages.create({
  model: "${model}",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Say hello" }],
});
console.log(answer.content);`,
	environment: ({ url }) => `export CURSORWIRE_KEY="$(cursorwire keys show)"
export OPENAI_BASE_URL="${url}/v1" OPENAI_API_KEY="$CURSORWIRE_KEY"
export ANTHROPIC_BASE_URL="${url}" ANTHROPIC_API_KEY="$CURSORWIRE_KEY"`,
};
