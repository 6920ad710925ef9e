import { sql } from 'kysely';
import type { AdminOperation } from './operation-input.ts';
import { readImportedTitle } from '../importing/imported-title.ts';
import { checkImported, saveImported } from '../importing/save-imported.ts';

/** The calls of an import, title by title; files are sent separately (`upload-routes.ts`). */
export const importOperations: Readonly<Record<string, AdminOperation>> = {
  /**
   * Returns the title's id, the files still to upload (names separated by spaces), and the property
   * that disables its kind.
   */
  'titles check': async (context, store, input) => {
    const { id, isNew, lacking, offBy } = await checkImported(context, store, readImportedTitle(input['title']));
    const lacks = lacking.map(({ name }) => name).join(' ');
    return { rows: [{ store, title: id, isNew: String(isNew), lacks, offBy: offBy ?? '' }] };
  },
  'titles save': async (context, store, input) => {
    const { id, outcome } = await saveImported(context, store, readImportedTitle(input['title']));
    return { rows: [{ title: id, outcome }] };
  },
  /**
   * Updates the database's statistics after a bulk import: the embedded database has no autovacuum,
   * and would scan whole tables.
   */
  'titles count': async ({ db }) => {
    await sql`analyze titles, prices, title_categories`.execute(db);
    return { rows: [] };
  },
};
