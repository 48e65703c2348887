/** Far beyond any real request; whatever exceeds them is an accident or an attack. */
export const MAX_MESSAGES = 65_536;
export const MAX_TOOLS = 512;
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** Of all tools of a request, in characters of JSON: they are hashed and written out with every request. */
export const MAX_TOOLS_LENGTH = 4 << 20;
/** Parts or calls of one message. */
export const MAX_PARTS = 16_384;
export const MAX_STOP_SEQUENCES = 16;
/** Every character of a reply is compared with all of them. */
export const MAX_STOP_LENGTH = 1_024;
/** Each choice is a run of its own upstream. */
export const MAX_CHOICES = 8;

/** The names that every API and the upstream accept for functions. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
