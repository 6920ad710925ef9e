import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Cursor } from './cursor.ts';
import { type Search, type Tier, toTiers } from './search.ts';
import type { SortOrder } from '../stores/sort-orders.ts';
import { countUpTo, readSorted, type SortedRow, type TitleQuery } from './sorted-titles.ts';

/** A page of results: the rows after the cursor, at most `limit`. */
type Page = { cursor: Cursor | undefined; limit: number };

const order: SortOrder<string> = { column: 'popularity', direction: 'desc', kind: 'number' };
const popularity = sql.ref('titles.popularity');

const toAnyCondition = (tiersToJoin: readonly Tier[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    tiersToJoin.map(({ condition }) => condition),
    sql` or `,
  )})`;

/** How well a title matches, as a whole number: its tier, then its popularity. */
function toRelevance(tiersToRank: readonly Tier[]): RawBuilder<unknown> {
  const cases = tiersToRank.map(({ condition, relevance }) => sql`when ${condition} then ${sql.lit(relevance)}::bigint`);
  return sql`((case ${sql.join(cases, sql` `)} end) + ${popularity})`;
}

/** The listed titles in the scope of a search, and the titles of them that match the search. */
type SearchedTitles = { listedTitles: TitleQuery; matchingTitles: TitleQuery };

/**
 * The best matches of a search, and the number of matches, null where there are too many to count.
 * A word may occur in half of all titles: such matches are not all compared, but read tier by tier
 * from the best, each by popularity, which an index provides.
 */
export async function readBestMatches(
  db: Database,
  titles: SearchedTitles,
  search: Search,
  { cursor, limit }: Page,
): Promise<{ rows: SortedRow[]; total: number | null }> {
  const allTiers = toTiers(search);
  const { listedTitles, matchingTitles } = titles;
  const readCompared = async (total: number) => {
    const rows = await readSorted(db, matchingTitles, { order, value: toRelevance(allTiers), cursor, limit });
    return { rows, total };
  };
  if (cursor && cursor.total !== null) return readCompared(cursor.total);
  const nameTiers = allTiers.filter(({ isByName }) => isByName);
  const widestNameTier = nameTiers.at(-1);
  const hasManyNameMatches =
    widestNameTier !== undefined && (await countUpTo(db, listedTitles.where(widestNameTier.condition))) === null;
  // Where the titles matched by name are too many to count, so are all matches.
  const total = cursor || hasManyNameMatches ? null : await countUpTo(db, matchingTitles);
  if (total !== null) return readCompared(total);
  const rows: SortedRow[] = [];
  const betterTiers: Tier[] = [];
  for (const group of widestNameTier === undefined || hasManyNameMatches
    ? allTiers.map((tier) => [tier])
    : groupTiers(allTiers, nameTiers)) {
    // Titles of better tiers in a group also meet the condition of its last tier; for a group by
    // name, no other index is needed.
    const [{ condition, isByName }] = group.slice(-1) as [Tier];
    const candidates = (isByName ? listedTitles : matchingTitles)
      .where(condition)
      .$if(betterTiers.length > 0, (each) => each.where(sql<boolean>`not ${toAnyCondition(betterTiers)}`));
    rows.push(...(await readGroup(db, candidates, group, { cursor, limit: limit - rows.length })));
    if (rows.length >= limit) break;
    betterTiers.push(...group);
  }
  return { rows, total };
}

/**
 * Groups of tiers whose titles are compared with each other: tiers by name together, since they
 * have few titles; the others alone.
 */
function groupTiers(allTiers: Tier[], nameTiers: Tier[]): Tier[][] {
  const [wholeNameTier, ...otherTiers] = allTiers.filter((tier) => !nameTiers.includes(tier));
  return [...(wholeNameTier ? [[wholeNameTier]] : []), nameTiers, ...otherTiers.map((tier) => [tier])];
}

async function readGroup(db: Database, candidates: TitleQuery, group: Tier[], { cursor, limit }: Page): Promise<SortedRow[]> {
  const [firstTier, ...otherTiers] = group;
  if (firstTier === undefined || otherTiers.length > 0)
    return readSorted(db, candidates, { order, value: toRelevance(group), cursor, limit });
  const cursorPopularity = cursor && Number(cursor.value) - firstTier.relevance;
  // The previous page ended in a lower tier.
  if (cursorPopularity !== undefined && cursorPopularity < 0) return [];
  const groupCursor = cursor && cursorPopularity !== undefined ? { ...cursor, value: cursorPopularity } : undefined;
  const rows = await readSorted(db, candidates, { order, value: popularity, cursor: groupCursor, limit });
  return rows.map((row) => ({ ...row, cursor_value: Number(row.cursor_value) + firstTier.relevance }));
}
