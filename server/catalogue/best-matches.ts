import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Cursor } from './cursor.ts';
import { type Search, type Tier, tiers } from './search.ts';
import type { SortOrder } from '../stores/sort-orders.ts';
import { countUpTo, readSorted, type SortedRow, type TitleQuery } from './sorted-titles.ts';

/** `most`: number of requested rows. */
type Page = { cursor: Cursor | undefined; most: number };

const order: SortOrder<string> = { column: 'popularity', direction: 'desc', kind: 'number' };
const popularity = sql.ref('titles.popularity');

const anyOf = (some: readonly Tier[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    some.map(({ has }) => has),
    sql` or `,
  )})`;

/** How well a title matches, as a whole number: its tier, then its popularity. */
function toRelevance(some: readonly Tier[]): RawBuilder<unknown> {
  const cases = some.map(({ has, relevance }) => sql`when ${has} then ${sql.lit(relevance)}::bigint`);
  return sql`((case ${sql.join(cases, sql` `)} end) + ${popularity})`;
}

/** The titles in the scope of a search, and those of them that match it. */
type SearchedTitles = { listed: TitleQuery; found: TitleQuery };

/**
 * The best matches of a search, and the number of matches, null where there are too many to count.
 * A word may occur in half of all titles: such matches are not all compared, but read tier by tier
 * from the best, each by popularity, which an index provides.
 */
export async function readBestMatches(
  db: Database,
  titles: SearchedTitles,
  search: Search,
  { cursor, most }: Page,
): Promise<{ rows: SortedRow[]; total: number | null }> {
  const all = tiers(search);
  const { listed, found } = titles;
  const compared = async (total: number) => {
    const rows = await readSorted(db, found, { order, value: toRelevance(all), cursor, most });
    return { rows, total };
  };
  if (cursor && cursor.total !== null) return compared(cursor.total);
  const byName = all.filter(({ isByName }) => isByName);
  const widest = byName.at(-1);
  const isManyByName = widest !== undefined && (await countUpTo(db, listed.where(widest.has))) === null;
  // Titles matched by name: where these are too many to count, so are all matches.
  const total = cursor || isManyByName ? null : await countUpTo(db, found);
  if (total !== null) return compared(total);
  const rows: SortedRow[] = [];
  const better: Tier[] = [];
  for (const group of widest === undefined || isManyByName ? all.map((tier) => [tier]) : groupTiers(all, byName)) {
    // Titles of better tiers in a group also meet the condition of its last tier; for a group by
    // name, no other index is needed.
    const [{ has, isByName }] = group.slice(-1) as [Tier];
    const among = (isByName ? listed : found)
      .where(has)
      .$if(better.length > 0, (each) => each.where(sql<boolean>`not ${anyOf(better)}`));
    rows.push(...(await readGroup(db, among, group, { cursor, most: most - rows.length })));
    if (rows.length >= most) break;
    better.push(...group);
  }
  return { rows, total };
}

/**
 * Groups of tiers whose titles are compared with each other: tiers by name together, since they
 * have few titles; the others alone.
 */
function groupTiers(all: Tier[], byName: Tier[]): Tier[][] {
  const [whole, ...others] = all.filter((tier) => !byName.includes(tier));
  return [...(whole ? [[whole]] : []), byName, ...others.map((tier) => [tier])];
}

async function readGroup(db: Database, among: TitleQuery, group: Tier[], { cursor, most }: Page): Promise<SortedRow[]> {
  const [first, ...others] = group;
  if (first === undefined || others.length > 0) return readSorted(db, among, { order, value: toRelevance(group), cursor, most });
  const place = cursor && Number(cursor.value) - first.relevance;
  // The previous page ended in a lower tier.
  if (place !== undefined && place < 0) return [];
  const from = cursor && place !== undefined ? { ...cursor, value: place } : undefined;
  const rows = await readSorted(db, among, { order, value: popularity, cursor: from, most });
  return rows.map((row) => ({ ...row, cursor_value: Number(row.cursor_value) + first.relevance }));
}
