import { type Kysely, sql } from 'kysely';

const statements = [
  // In which language, and where, the customer pays: the receipt is written when it is paid, which may be without them.
  sql`alter table transactions add column language text, add column origin text`,
  sql`alter table letters
    add column transaction_id text,
    add foreign key (store_id, transaction_id) references transactions (store_id, id) on delete cascade`,
  sql`create unique index letters_by_transaction on letters (store_id, transaction_id)`,
];

/** A letter with the receipt of what was paid for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
