import { type Kysely, sql } from 'kysely';

const statements = [
  // A gift is stored with its payment before that is paid; afterwards it has a code and a queued
  // e-mail.
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
  // No two gifts have the same code.
  sql`create unique index gifts_by_code on gifts (store_id, code)`,
  sql`alter table letters
    add column gift_id text,
    add foreign key (store_id, gift_id) references gifts (store_id, id) on delete cascade`,
  // A gift has one queued e-mail at a time.
  sql`create unique index letters_by_gift on letters (store_id, gift_id)`,
];

/** Gifts: one customer pays for a title, another opens it with the code from an e-mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
