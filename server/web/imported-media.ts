import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { toTitleFolder } from '../media/folders.ts';
import type { Services } from '../services.ts';

/** Number of titles whose files are checked: a single title may have lost its file. */
const SAMPLE_SIZE = 5;
/** Milliseconds until titles are read again after no file of a title was found. */
const CHECK_INTERVAL_MS = 60_000;

/**
 * Checks that `MEDIA_DIR` has the files of imported titles. A volume that is not mounted leaves an
 * empty folder, which has free space but no files.
 * @returns the check; it is true as long as nothing was imported
 */
export function createImportedMediaCheck({ db, config }: Pick<Services, 'db' | 'config'>): () => Promise<boolean> {
  let sample: string[] = [];
  let lastMissAt = -Infinity;

  const readSample = async (): Promise<void> => {
    const file = sql<string>`content -> 'items' -> 0 ->> 'file'`;
    const rows = await db
      .selectFrom('titles')
      .select(['store_id as storeId', 'id as titleId', file.as('file')])
      // Names of imported files have this form.
      .where(file, '~', '^[a-z0-9-]+-[0-9a-f]{32}\\.')
      .orderBy('added_at', 'desc')
      .limit(SAMPLE_SIZE)
      .execute();
    sample = rows.map((row) => join(config.titlesFolder, toTitleFolder(row), row.file));
  };
  const hasAnyFile = (): Promise<boolean> =>
    Promise.any(sample.map((path) => access(path))).then(
      () => true,
      () => false,
    );

  return async () => {
    if (sample.length > 0 && (await hasAnyFile())) return true;
    if (performance.now() - lastMissAt < CHECK_INTERVAL_MS) return sample.length === 0;
    // The sample is empty, or its titles have been replaced or removed since.
    const wasSampleRead = await readSample().then(
      () => true,
      // An unavailable database has its own check.
      () => false,
    );
    if (!wasSampleRead || (sample.length > 0 && (await hasAnyFile()))) return true;
    lastMissAt = performance.now();
    return sample.length === 0;
  };
}
