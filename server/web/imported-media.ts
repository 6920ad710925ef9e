import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { toTitleFolder } from '../media/folders.ts';
import type { Services } from '../services.ts';

/** Number of titles whose files are checked: a single title may have lost its file. */
const SAMPLE_SIZE = 5;
/** Milliseconds until titles are read again after none was found. */
const CHECK_INTERVAL_MS = 60_000;

/**
 * Checks that `MEDIA_DIR` has the files of imported titles. A volume that is not mounted leaves an
 * empty folder, which has free space but no files.
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
      // The form of imported file names.
      .where(file, '~', '^[a-z0-9-]+-[0-9a-f]{32}\\.')
      .orderBy('added_at', 'desc')
      .limit(SAMPLE_SIZE)
      .execute();
    sample = rows.map((row) => join(config.titlesFolder, toTitleFolder(row), row.file));
  };
  const isAnyThere = (): Promise<boolean> =>
    Promise.any(sample.map((path) => access(path))).then(
      () => true,
      () => false,
    );

  return async () => {
    if (sample.length > 0 && (await isAnyThere())) return true;
    if (performance.now() - foundNoneAt < CHECK_INTERVAL_MS) return sample.length === 0;
    // No title is known yet, or the known ones have been replaced or removed since.
    const isKnown = await look().then(
      () => true,
      // An unavailable database says nothing about files, and has its own check.
      () => false,
    );
    if (!isKnown || (sample.length > 0 && (await isAnyThere()))) return true;
    foundNoneAt = performance.now();
    return sample.length === 0;
  };
}
