import { StoreVersionError } from "../errors.ts";
import type { SqlDatabase } from "./database.ts";

/**
 * Every version of the schema, as the step from the previous one. Published steps are never changed.
 *
 * `stored` holds how many bytes a caller has on each shelf. Triggers maintain it, so that it is correct whichever
 * process writes or deletes.
 */
const MIGRATIONS: readonly string[] = [
	`
	create table stored (
		caller text not null,
		shelf text not null,
		bytes integer not null,
		primary key (caller, shelf)
	) strict, without rowid;

	create table checkpoints (
		id integer primary key,
		caller text not null,
		key text not null,
		conversation_id text not null,
		created_at integer not null,
		last_used_at integer not null,
		blob_count integer not null,
		size integer not null,
		state blob not null,
		unique (caller, key)
	) strict;
	create index checkpoints_by_use on checkpoints (last_used_at, id);
	create index checkpoints_by_caller_and_use on checkpoints (caller, last_used_at, id);

	create table blobs (
		id integer primary key,
		caller text not null,
		hash blob not null,
		size integer not null,
		data blob not null,
		unique (caller, hash)
	) strict;

	create table reach (
		checkpoint integer not null,
		blob integer not null,
		primary key (checkpoint, blob)
	) strict, without rowid;
	create index reach_by_blob on reach (blob);

	create table payloads (
		id integer primary key,
		shelf text not null,
		caller text not null,
		name text not null,
		expires_at integer not null,
		size integer not null,
		payload blob not null,
		unique (shelf, caller, name)
	) strict;
	create index payloads_by_expiry on payloads (expires_at);
	create index payloads_by_age on payloads (shelf, id);
	create index payloads_by_caller_and_age on payloads (shelf, caller, id);

	create table keys (
		id text primary key,
		name text not null,
		hash text not null unique,
		created_at integer not null,
		last_used_at integer,
		revoked_at integer,
		limits text
	) strict;

	create table ledger (
		id integer primary key,
		at integer not null,
		caller text not null,
		dialect text not null,
		model text not null,
		path text not null,
		input_tokens integer not null,
		output_tokens integer not null,
		cached_tokens integer not null,
		reasoning_tokens integer not null,
		latency_ms integer not null,
		first_token_ms integer,
		status integer not null,
		error_kind text
	) strict;
	create index ledger_by_time on ledger (at);

	create table probe (bytes blob not null) strict;
	` +
		accountFor("checkpoints", (row) => `${row}.caller, 'checkpoints'`) +
		accountFor("blobs", (row) => `${row}.caller, 'checkpoints'`) +
		accountFor("payloads", (row) => `${row}.caller, ${row}.shelf`),
	`
	alter table payloads add column pieces text;
	create table payload_pieces (
		payload text not null,
		number integer not null,
		bytes blob not null,
		primary key (payload, number)
	) strict;
	create trigger payload_pieces_removed after delete on payloads when old.pieces is not null begin
		delete from payload_pieces where payload = old.pieces;
	end;
	`,
	"alter table keys add column kind text",
	// What rows are searched by has a column; the rest is only shown, and is JSON in `details`. An index would cost every
	// turn more than it saves the few who look: the ledger is searched in slices.
	`
	alter table ledger add column conversation text;
	alter table ledger add column answered text;
	alter table ledger add column gateway_us integer;
	alter table ledger add column details text;

	create table pool_readings (
		id integer primary key,
		at integer not null,
		pool text not null,
		used_percent real not null,
		used_cents real,
		limit_cents real,
		resets_at integer
	) strict;
	create index pool_readings_by_time on pool_readings (at);
	`,
	"alter table keys add column expires_at integer",
	`
	create table spend_limits (
		id text primary key,
		created_at integer not null,
		changed_at integer not null,
		record text not null
	) strict;

	create table spend_counters (
		counter text primary key,
		used integer not null,
		since integer not null,
		expires_at integer not null
	) strict, without rowid;
	create index spend_counters_by_expiry on spend_counters (expires_at);
	`,
];

/** Triggers that add and subtract the `size` of a table's rows. */
function accountFor(table: string, owner: (row: string) => string): string {
	return `
	create trigger ${table}_stored after insert on ${table} begin
		insert into stored (caller, shelf, bytes) values (${owner("new")}, new.size)
		on conflict do update set bytes = bytes + excluded.bytes;
	end;
	create trigger ${table}_removed after delete on ${table} begin
		update stored set bytes = bytes - old.size where (caller, shelf) = (${owner("old")});
	end;
	`;
}

/** Migrates the file to the newest version, or throws a `StoreVersionError` if it is even newer. */
export function migrate(database: SqlDatabase, now: number): void {
	database.transaction(() => {
		database.exec(
			"create table if not exists migrations (version integer primary key, applied_at integer not null) strict",
		);
		const [row] = database.all<{ version: number | null }>("select max(version) as version from migrations");
		const version = row?.version ?? 0;
		if (version > MIGRATIONS.length) {
			throw new StoreVersionError(
				`${database.file} was written by a newer version of cursorwire (schema ${version}, this one knows ${MIGRATIONS.length}). Update cursorwire, or choose another data folder.`,
			);
		}
		for (let next = version + 1; next <= MIGRATIONS.length; next++) {
			database.exec(MIGRATIONS[next - 1]!);
			database.run("insert into migrations (version, applied_at) values (?, ?)", [next, now]);
		}
	});
}
