import { sql } from 'kysely';
import type { Operation } from './given.ts';
import { readImportedTitle } from '../importing/imported-title.ts';
import { checkImported, saveImported } from '../importing/save-imported.ts';

/** What an import asks of the shop, title by title; the files go beside it (`upload-routes.ts`). */
export const importOperations: Readonly<Record<string, Operation>> = {
  /**
   * Which title it is, the files that have to be sent first, their names separated by blanks, and
   * the property by which its kind is off.
   */
  'titles check': async (operator, store, given) => {
    const { id, isNew, lacking, offBy } = await checkImported(operator, store, readImportedTitle(given['title']));
    const lacks = lacking.map(({ name }) => name).join(' ');
    return { rows: [{ store, title: id, isNew: String(isNew), lacks, offBy: offBy ?? '' }] };
  },
  'titles save': async (operator, store, given) => {
    const { id, outcome } = await saveImported(operator, store, readImportedTitle(given['title']));
    return { rows: [{ title: id, outcome }] };
  },
  /** After many titles: the embedded database never counts its rows by itself, and would read whole tables. */
  'titles count': async ({ db }) => {
    await sql`analyze titles, prices, title_categories`.execute(db);
    return { rows: [] };
  },
};
