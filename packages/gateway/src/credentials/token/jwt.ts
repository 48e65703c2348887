/** The claims that are read from a token (RFC 7519 section 4.1). Times are in seconds, as in the token. */
export interface Claims {
	/** `auth0|user_…` in Cursor's tokens. */
	subject?: string;
	issuedAt?: number;
	expiresAt?: number;
}

const SHAPE = /^ey[\w-]*\.([\w-]+)\.[\w-]*$/;

/** The claims of a JWT, unverified: only the backend can verify it, and we only need to know when to renew it. */
export function readClaims(token: string): Claims | undefined {
	const payload = SHAPE.exec(token)?.[1];
	if (payload === undefined) return undefined;
	let claims: unknown;
	try {
		claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
	} catch {
		return undefined;
	}
	if (typeof claims !== "object" || claims === null) return undefined;
	const { sub, iat, exp } = claims as Record<string, unknown>;
	return { subject: typeof sub === "string" ? sub : undefined, issuedAt: seconds(iat), expiresAt: seconds(exp) };
}

function seconds(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
