import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ownName } from '../media/folders.ts';
import type { Services } from '../services.ts';

/** Titles whose files are looked for: a single one may have lost its file. */
const SAMPLE = 5;
/** Milliseconds until the titles are looked through again. */
const LOOK_AGAIN = 60_000;

/**
 * Whether `MEDIA_DIR` holds the files of imported titles. A volume that is not mounted leaves an
 * empty folder, which has room and serves nothing.
 * @returns the check; it is true as long as nothing was imported
 */
export function importedMedia({ db, config }: Pick<Services, 'db' | 'config'>): () => Promise<boolean> {
  let sample: string[] = [];
  let foundNoneAt = -Infinity;

  const look = async (): Promise<void> => {
    const file = sql<string>`content -> 'items' -> 0 ->> 'file'`;
    const rows = await db
      .selectFrom('titles')
      .select(['store_id as storeId', 'id as titleId', file.as('file')])
      // As imports name files.
      .where(file, '~', '^[a-z0-9-]+-[0-9a-f]{32}\\.')
      .orderBy('added_at', 'desc')
      .limit(SAMPLE)
      .execute();
    sample = rows.map((row) => join(config.titlesFolder, ownName(row), row.file));
  };
  const isAnyThere = (): Promise<boolean> =>
    Promise.any(sample.map((path) => access(path))).then(
      () => true,
      () => false,
    );

  return async () => {
    if (sample.length > 0 && (await isAnyThere())) return true;
    if (performance.now() - foundNoneAt < LOOK_AGAIN) return sample.length === 0;
    // None is known yet, or those that were known have been replaced or removed since.
    const isKnown = await look().then(
      () => true,
      // A database that is away says nothing of files, and is checked by itself.
      () => false,
    );
    if (!isKnown || (sample.length > 0 && (await isAnyThere()))) return true;
    foundNoneAt = performance.now();
    return sample.length === 0;
  };
}
