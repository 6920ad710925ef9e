import { type Kysely, sql } from 'kysely';

const statements = [
  // A gift is written down with its payment, before that is paid; it has a code, and a letter on its way, once it is.
  sql`alter table gifts
    drop column claimed_by,
    add column language text not null default 'en',
    add column origin text not null default '',
    add column deliver_on text check (deliver_on ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    add column due_at timestamptz,
    add column created_at timestamptz not null default now(),
    add column letters integer not null default 0,
    add column written_at timestamptz,
    add column failed_at timestamptz`,
  sql`create index gifts_by_giver on gifts (store_id, giver_id, created_at)`,
  // Nobody opens two gifts with one code.
  sql`create unique index gifts_by_code on gifts (store_id, code)`,
  sql`alter table letters
    add column gift_id text,
    add foreign key (store_id, gift_id) references gifts (store_id, id) on delete cascade`,
  // A gift has one letter on its way at a time.
  sql`create unique index letters_by_gift on letters (store_id, gift_id)`,
];

/** Gifts: a title that is paid for by one and opened by another, by the code in a letter. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
