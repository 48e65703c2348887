import { contextOf } from "../../connect/client.ts";
import type { LaunchClient } from "../launch-client.ts";

export const goose: LaunchClient = {
	name: "Goose",
	program: "goose",
	install: "see https://block.github.io/goose/docs/getting-started/installation",
	variables: (target) => ({
		GOOSE_PROVIDER: "openai",
		GOOSE_MODEL: target.model,
		GOOSE_CONTEXT_LIMIT: String(contextOf(target)),
		// Goose adds the path itself.
		OPENAI_HOST: target.url,
		OPENAI_BASE_PATH: "v1/chat/completions",
		OPENAI_API_KEY: target.key,
	}),
};
