import { type Kysely, sql } from 'kysely';

/** Indexes of titles that customers see, previously of all listed titles. */
const indexes: Readonly<Record<string, string>> = {
  titles_by_name: '(store_id, sort_name, id collate "C") where offered',
  titles_by_author: '(store_id, sort_author, id collate "C") where offered',
  titles_by_type: '(store_id, type, sort_name, id collate "C") where offered',
  titles_by_age: '(store_id, added_at, id collate "C") where offered',
  titles_by_price: '(store_id, sort_price, id collate "C") where offered',
  titles_by_popularity: '(store_id, popularity, id collate "C") where offered',
  titles_by_slug: '(store_id, slug) where offered',
  titles_for_nothing: '(store_id, added_at, id collate "C") where offered and for_sale and sort_price = 0',
  titles_by_type_and_price: '(store_id, type, sort_price, id collate "C") where offered',
  titles_by_series: '(store_id, series, series_place, id collate "C") where offered and series is not null',
  titles_by_language: `(store_id, lower(split_part(language, '-', 1))) where offered and language is not null`,
};

/**
 * Condition: a flag is off, as stores may have written it; the default applies where the flag is
 * missing.
 */
const isOff = (flag: string, defaultValue: boolean) => sql<boolean>`
  not coalesce((select case lower(trim(value)) when 'true' then true when 'yes' then true when '1' then true when '' then null else false end
    from properties where properties.store_id = titles.store_id and properties.name = ${flag}), ${defaultValue})`;

const statements = [
  // Whether the title's kind is on in the store, and whether customers see the title.
  sql`alter table titles add column kind_on boolean not null default true`,
  sql`update titles set kind_on = false where
    (type = 1 and ${isOff('EnableEbook', true)}) or
    (type = 2 and ${isOff('EnableAudioTitle', false)}) or
    (type = 4 and ${isOff('EnableVideoTitle', false)})`,
  sql`alter table titles add column offered boolean generated always as (listed and kind_on) stored`,
  ...Object.entries(indexes).flatMap(([name, definition]) => [
    sql`drop index ${sql.ref(name)}`,
    sql`create index ${sql.ref(name)} on titles ${sql.raw(definition)}`,
  ]),
];

/** Titles of a kind that is off in their store are in no list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
