/** How long a key is known after it has expired, so that what it used can still be named. */
export const EXPIRED_KEYS_KEPT_MS = 30 * 24 * 60 * 60_000;
