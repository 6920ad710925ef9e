import { type Kysely, sql } from 'kysely';

const statements = [
  // Language and origin of the payment: the receipt is written after it is paid, possibly without a
  // request from the customer.
  sql`alter table transactions add column language text, add column origin text`,
  sql`alter table letters
    add column transaction_id text,
    add foreign key (store_id, transaction_id) references transactions (store_id, id) on delete cascade`,
  sql`create unique index letters_by_transaction on letters (store_id, transaction_id)`,
];

/** Receipts of payments by e-mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
