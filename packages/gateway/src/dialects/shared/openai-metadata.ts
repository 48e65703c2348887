import type { TurnRequest } from "../../turn/request.ts";

interface MetadataFields {
	metadata?: Readonly<Record<string, string>> | null | undefined;
	user?: string | null | undefined;
	prompt_cache_key?: string | null | undefined;
}

/** The hints that a request of OpenAI's APIs carries. None of them is an identity. */
export function decodeOpenaiMetadata({ metadata, user, prompt_cache_key }: MetadataFields): TurnRequest["metadata"] {
	return { ...metadata, ...(user && { user }), ...(prompt_cache_key && { prompt_cache_key }) };
}
