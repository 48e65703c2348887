export interface GatewayVariables {
	url: string;
	/** With TLS the gateway has to be told which certificate to trust. */
	tls?: boolean | undefined;
	/** A file of accounts has API keys of its own, or none. */
	accounts?: string | undefined;
}

const CA_FILE = "cursorwire-emulator-ca.pem";

/** What the gateway needs to use this emulator in place of Cursor. */
export function gatewayVariables({ url, accounts }: GatewayVariables): Record<string, string> {
	return {
		CURSORWIRE_UPSTREAM: url,
		CURSORWIRE_WEBSITE: url,
		...(accounts === undefined && { CURSOR_API_KEY: "key_demo" }),
	};
}

/** The same as lines to paste into a shell: PowerShell on Windows, any other elsewhere. */
export function pasteable(of: GatewayVariables, platform: NodeJS.Platform = process.platform): string[] {
	const isWindows = platform === "win32";
	const set = (name: string, value: string) => (isWindows ? `$env:${name} = "${value}"` : `export ${name}="${value}"`);
	const lines = Object.entries(gatewayVariables(of)).map(([name, value]) => set(name, value));
	if (!of.tls) return lines;
	const curl = `${isWindows ? "curl.exe" : "curl"} -sk -o ${CA_FILE} ${of.url}/__emulator/ca.pem`;
	return [curl, ...lines, set("CURSORWIRE_CA_FILE", isWindows ? `$PWD\\${CA_FILE}` : `$PWD/${CA_FILE}`)];
}
