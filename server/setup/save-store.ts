import { inTransaction, type Database } from '../database/open.ts';
import { saveTitles, type NewTitle } from './save-title.ts';

export type NewCategory = {
  id: string;
  name: string;
  parentId?: string | null;
  tagId?: string | null;
  kind?: 'category' | 'catalog' | 'titleset';
};

export type NewStore = {
  id: string;
  host?: string | null;
  isDefault?: boolean;
  appId?: string;
  currency?: string;
  /** by their names on the wire; lists are kept as JSON text */
  properties?: Record<string, unknown>;
  /** tokens of the store's look by name */
  theme?: Record<string, string>;
  /** signs the sign-on of comments */
  coralSecret?: string;
  pages?: { name: string; title: string; html: string; isPrivate?: boolean }[];
  /** parents before their children */
  categories?: NewCategory[];
  titles?: NewTitle[];
};

/** A property as it is kept. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * A host as browsers name it: in small letters, other scripts in their ASCII form.
 * @throws Error for one with a port, or that is none
 */
function hostOf(text: string): string {
  const url = URL.parse(`http://${text}`);
  if (url?.host !== url?.hostname || url?.href !== `http://${url?.host}/`)
    throw new Error(`A store's host is a name without a port, like books.example, not "${text}".`);
  return url?.hostname ?? '';
}

/** Makes a store with everything in it; all of it or nothing. */
export async function saveStore(db: Database, store: NewStore): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('stores')
      .values({
        id: store.id,
        host: typeof store.host === 'string' ? hostOf(store.host) : null,
        is_default: store.isDefault ?? false,
        currency: store.currency ?? 'USD',
        coral_secret: store.coralSecret ?? null,
        ...(store.theme === undefined ? {} : { theme: JSON.stringify(store.theme) }),
        ...(store.appId === undefined ? {} : { app_id: store.appId }),
      })
      .execute();
    const properties = Object.entries(store.properties ?? {})
      .filter(([name]) => name !== 'ShelfId')
      .map(([name, value]) => ({ store_id: store.id, name, value: asText(value) }));
    if (properties.length > 0) await trx.insertInto('properties').values(properties).execute();
    const pages = (store.pages ?? []).map(({ name, title, html, isPrivate }) => ({
      store_id: store.id,
      name,
      title,
      html,
      is_private: isPrivate ?? false,
    }));
    if (pages.length > 0) await trx.insertInto('pages').values(pages).execute();
    const categories = (store.categories ?? []).map(({ id, name, parentId, tagId, kind }, position) => ({
      store_id: store.id,
      id,
      name,
      parent_id: parentId ?? null,
      tag_id: tagId ?? null,
      ...(kind === undefined ? {} : { kind }),
      position,
    }));
    if (categories.length > 0) await trx.insertInto('categories').values(categories).execute();
    if (store.titles) await saveTitles(trx, store.id, store.titles);
  });
}
