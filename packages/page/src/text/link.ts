/** The address if it is one of a page; nothing for `javascript:` and the like. */
export function pageAddress(address: string | undefined): string | undefined {
	return address !== undefined && /^https?:\/\//i.test(address) ? address : undefined;
}
