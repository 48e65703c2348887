// Takes a database back to an earlier version of its schema, as a release of that time left it.

const STEPS_BACK: Readonly<Record<number, string>> = {
	5: `
		drop table spend_counters;
		drop table spend_limits;
	`,
	4: `alter table keys drop column expires_at;`,
	3: `
		drop table pool_readings;
		alter table ledger drop column conversation;
		alter table ledger drop column answered;
		alter table ledger drop column gateway_us;
		alter table ledger drop column details;
	`,
	2: `alter table keys drop column kind;`,
	1: `
		drop trigger payload_pieces_removed;
		drop table payload_pieces;
		alter table payloads drop column pieces;
	`,
};

/** The statements that lead back to a version. */
export const backTo = (version: number): string =>
	Object.entries(STEPS_BACK)
		.filter(([step]) => Number(step) >= version)
		.sort(([a], [b]) => Number(b) - Number(a))
		.map(([, sql]) => sql)
		.concat(`delete from migrations where version > ${version};`)
		.join("\n");
