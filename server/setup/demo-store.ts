import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTransaction, type Database } from '../database/open.ts';
import type { ContentItem } from '../database/schema/catalogue.ts';
import { type NewCategory, type NewStore, saveStore } from './save-store.ts';
import type { NewCampaign } from './save-campaign.ts';
import { type TextByLanguage, isByLanguage, type LanguageCode } from '../base/language.ts';
import type { NewTitle } from './save-title.ts';
import { shopNow } from '../base/clock/time.ts';

type DemoTitle = Omit<NewTitle, 'cover' | 'content'> & {
  cover?: string;
  coverSmall?: string;
  coverWidth?: number;
  coverHeight?: number;
  color?: string;
  items: ContentItem[];
  sample?: { items: ContentItem[] };
  related?: string[];
};

/** A hand-picked list of titles: a publisher's catalog, or a set under a heading. */
type DemoList = { id: string; kind: 'catalog' | 'titleset'; name: TextByLanguage; titles: string[] };

/**
 * A code for all customers, without expiry unless `expiredAgo` states how many days ago it expired.
 */
type DemoCode = { code: string; grants: string; uses: number | null; usesLeft?: number; expiredAgo?: number };

/**
 * A campaign; `startsIn` and `endsIn` are in days from the creation of the demo store, negative in
 * the past.
 */
type DemoCampaign = Omit<NewCampaign, 'startsAt' | 'endsAt'> & { startsIn?: number; endsIn?: number };

type DemoStore = {
  id: string;
  host?: string;
  titles: 'all' | string[];
  theme?: Record<string, string>;
  language?: LanguageCode;
  lists?: DemoList[];
  pages?: NonNullable<NewStore['pages']>;
  customFields?: NonNullable<NewStore['customFields']>;
  plans?: NonNullable<NewStore['plans']>;
  codes?: DemoCode[];
  campaigns?: DemoCampaign[];
  properties: Record<string, unknown>;
};

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const PAGES = { about: 'About', terms: 'TermsOfService', privacy: 'PrivacyPolicy', faq: 'Faq' } as const;

function toTitle(title: DemoTitle, addedAt: Date): NewTitle {
  const { cover, coverSmall, coverWidth, coverHeight, color, items, sample, related, ...fields } = title;
  return {
    ...fields,
    addedAt,
    cover: cover
      ? {
          file: cover,
          ...(coverSmall ? { smallFile: coverSmall } : {}),
          ...(coverWidth ? { width: coverWidth } : {}),
          ...(coverHeight ? { height: coverHeight } : {}),
          ...(color ? { color } : {}),
        }
      : null,
    content: { items, ...(sample ? { sample } : {}), ...(related ? { related } : {}) },
  };
}

/** The categories of the titles, with their ancestors. */
function selectCategories(titles: DemoTitle[], allCategories: NewCategory[]): NewCategory[] {
  const neededIds = new Set(titles.flatMap((title) => title.categories ?? []));
  for (const category of allCategories.toReversed())
    if (neededIds.has(category.id) && category.parentId) neededIds.add(category.parentId);
  return allCategories.filter((category) => neededIds.has(category.id));
}

const findHeading = (html: string, name: string) => /<h[12][^>]*>([^<]+)</.exec(html)?.[1] ?? name;

/** The heading of a document, in each of its languages. */
const toHeading = (html: TextByLanguage, name: string): TextByLanguage =>
  typeof html === 'string'
    ? findHeading(html, name)
    : Object.fromEntries(Object.entries(html).map(([language, text]) => [language, findHeading(text, name)]));

const isText = (value: unknown): value is TextByLanguage => isByLanguage(value) || (typeof value === 'string' && value !== '');

function toPages(properties: Record<string, unknown>): NonNullable<NewStore['pages']> {
  return Object.entries(PAGES).flatMap(([name, property]) => {
    const html = properties[property];
    return isText(html) ? [{ name, title: toHeading(html, name), html }] : [];
  });
}

type Catalogue = { categories: NewCategory[]; titles: DemoTitle[] };

function toNewStore(store: DemoStore, catalogue: Catalogue, now: number): NewStore {
  const lists = store.lists ?? [];
  const titles = catalogue.titles.filter(({ id }) => store.titles === 'all' || store.titles.includes(id));
  const listCategoryIds = ({ id, categories = [] }: DemoTitle) => [
    ...categories,
    ...lists.filter((list) => list.titles.includes(id)).map((list) => list.id),
  ];
  return {
    id: store.id,
    host: store.host ?? null,
    language: store.language ?? 'en',
    properties: store.properties,
    theme: store.theme ?? {},
    customFields: store.customFields ?? [],
    plans: store.plans ?? [],
    codes: (store.codes ?? []).map(({ expiredAgo, ...code }) => ({
      ...code,
      expiresAt: expiredAgo === undefined ? null : new Date(now - expiredAgo * DAY_MS),
    })),
    campaigns: (store.campaigns ?? []).map(({ startsIn, endsIn, ...campaign }) => ({
      ...campaign,
      startsAt: startsIn === undefined ? null : new Date(now + startsIn * DAY_MS),
      endsAt: endsIn === undefined ? null : new Date(now + endsIn * DAY_MS),
    })),
    pages: [...toPages(store.properties), ...(store.pages ?? [])],
    categories: [...selectCategories(titles, catalogue.categories), ...lists.map(({ id, kind, name }) => ({ id, kind, name }))],
    // The catalogue lists the oldest first.
    titles: titles.map((title, index) => ({
      ...toTitle(title, new Date(now - (titles.length - index) * HOUR_MS)),
      categories: listCategoryIds(title),
    })),
  };
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

/**
 * Loads the demo stores of a folder (store.json and catalogue.json) into a database without stores.
 * @returns the ids of the created stores, none where the database has stores; undefined when the
 * files are missing
 */
export async function loadDemoStores(db: Database, folder: string): Promise<string[] | undefined> {
  if (await db.selectFrom('stores').select('id').limit(1).executeTakeFirst()) return [];
  const [storeFile, catalogueFile] = [join(folder, 'store.json'), join(folder, 'catalogue.json')];
  if (!existsSync(storeFile) || !existsSync(catalogueFile)) return undefined;
  const { stores } = (await readJson(storeFile)) as { stores: DemoStore[] };
  const catalogue = (await readJson(catalogueFile)) as Catalogue;
  const now = shopNow().getTime();
  await inTransaction(db, async (trx) => {
    for (const [index, store] of stores.entries())
      await saveStore(trx, { ...toNewStore(store, catalogue, now), isDefault: index === 0 });
  });
  return stores.map(({ id }) => id);
}
