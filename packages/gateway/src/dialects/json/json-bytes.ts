// The bytes that give JSON its structure. In UTF-8 none of them is a part of another character.

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
// `[` and `{`, `]` and `}` differ in one bit from each other.
export const CASE_BIT = 0x20;
export const OPENING = 0x7b;
export const CLOSING = 0x7d;
/** From the bracket that opens to the one that closes. */
export const TO_CLOSING = 2;

/** Bytes that are looked at between two looks at the clock. */
export const STRIDE = 1 << 17;
