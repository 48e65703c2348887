// Replies as chunks of OpenAI's Chat Completions, for peers that relay to such an upstream.

const head =
	'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"auto","choices":[{"index":0,"delta":{';

export const chunk = (text) => Buffer.from(`${head}"content":${JSON.stringify(text)}},"finish_reason":null}]}\n\n`);
export const endOfChunks = Buffer.from(`${head}},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
