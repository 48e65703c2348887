export const MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
export const ON_TOP: readonly string[];
