import { type Kysely, sql } from 'kysely';

const statements = [
  sql`alter table titles add column series text check (series <> '')`,
  sql`alter table titles add column series_number double precision`,
  // Cursors need whole numbers: hundredths of the number; titles without one sort last.
  sql`alter table titles add column series_place integer not null generated always as
    (case when series_number between -1000000 and 1000000 then round(series_number * 100)::integer else 2147483647 end) stored`,
  sql`create index titles_by_series on titles (store_id, series, series_place, id collate "C") where listed and series is not null`,
  // Indexes for more list filters.
  sql`create index titles_by_language on titles (store_id, lower(split_part(language, '-', 1))) where listed and language is not null`,
  sql`create index titles_by_each_author on titles using gin (authors jsonb_path_ops) with (fastupdate = off)`,
];

/** Titles in series; lists by author, by series and by language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
