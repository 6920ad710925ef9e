import { type Kysely, sql } from 'kysely';

/*
 * Every table of a store's data has store_id and every reference includes it, so that a row can
 * never refer to another store. Sort names are folded by the server and compared bytewise, and
 * search words are split by the server, so that sorting and searching do not depend on the
 * database's locale.
 */
const statements = [
  sql`create table stores (
    id text primary key check (id <> ''),
    host text unique,
    is_default boolean not null default false,
    app_id text not null default 'web',
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    created_at timestamptz not null default now()
  )`,
  sql`create unique index stores_one_default on stores (is_default) where is_default`,
  sql`create table properties (
    store_id text not null references stores on delete cascade,
    name text not null,
    value text not null,
    primary key (store_id, name)
  )`,
  sql`create table categories (
    store_id text not null references stores on delete cascade,
    id text not null,
    parent_id text,
    tag_id text,
    kind text not null default 'category' check (kind in ('category', 'catalog', 'titleset')),
    name text not null,
    position integer not null default 0,
    primary key (store_id, id),
    foreign key (store_id, parent_id) references categories (store_id, id) on delete cascade,
    check (parent_id is distinct from id)
  )`,
  sql`create index categories_by_parent on categories (store_id, parent_id, position)`,
  sql`create table titles (
    store_id text not null references stores on delete cascade,
    id text not null,
    type smallint not null check (type between 1 and 4),
    media text not null check (media in ('epub', 'pdf', 'audio', 'video', 'interactive')),
    name text not null,
    subtitle text,
    sort_name text collate "C" not null,
    sort_author text collate "C" not null default '',
    isbn text check (isbn ~ '^97[89][0-9]{10}$'),
    authors jsonb not null default '[]',
    narrators jsonb not null default '[]',
    publisher text,
    language text,
    published_on text,
    description text not null default '',
    duration_seconds integer,
    page_count integer,
    word_count integer,
    cover jsonb,
    has_sample boolean not null default false,
    for_sale boolean not null default true,
    listed boolean not null default true,
    sort_price bigint not null default 0,
    popularity integer not null default 0,
    added_at timestamptz not null default now(),
    content jsonb not null default '{}',
    search_words text not null default '',
    search tsvector generated always as (array_to_tsvector(string_to_array(search_words, ' '))) stored,
    primary key (store_id, id),
    unique (store_id, isbn)
  )`,
  // One index per sort order of lists: a page is read from its cursor on, at any depth.
  sql`create index titles_by_name on titles (store_id, sort_name, id collate "C") where listed`,
  sql`create index titles_by_author on titles (store_id, sort_author, id collate "C") where listed`,
  sql`create index titles_by_type on titles (store_id, type, sort_name, id collate "C") where listed`,
  sql`create index titles_by_age on titles (store_id, added_at, id collate "C") where listed`,
  sql`create index titles_by_price on titles (store_id, sort_price, id collate "C") where listed`,
  sql`create index titles_by_popularity on titles (store_id, popularity, id collate "C") where listed`,
  // Without fast updates: only a vacuum empties their pending list, which the embedded database
  // never runs.
  sql`create index titles_by_words on titles using gin (search) with (fastupdate = off)`,
  sql`create table title_categories (
    store_id text not null,
    category_id text not null,
    title_id text not null,
    primary key (store_id, category_id, title_id),
    foreign key (store_id, category_id) references categories (store_id, id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade
  )`,
  sql`create index title_categories_by_title on title_categories (store_id, title_id)`,
  sql`create table prices (
    store_id text not null,
    title_id text not null,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    amount_minor bigint not null check (amount_minor >= 0),
    position integer not null default 0,
    primary key (store_id, title_id, currency),
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade
  )`,
  sql`create table pages (
    store_id text not null references stores on delete cascade,
    name text not null,
    title text not null,
    html text not null,
    is_private boolean not null default false,
    updated_at timestamptz not null default now(),
    primary key (store_id, name)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
