import type { CustomField } from '../../machines/model/account/custom-field.ts';
import { inTransaction, type Database } from '../database/open.ts';
import { makeCodes, type NewCodes } from '../codes/make-codes.ts';
import { expectedInstead, isOfWords, isProperty, receiptLinkInstead, receiptLinkProperties } from '../stores/store-properties.ts';
import { BadText, type GivenText, isByLanguage, type LanguageCode, readTexts } from '../base/language.ts';
import { campaignPrices, saveCampaigns, type NewCampaign } from './save-campaign.ts';
import { savePlans, type NewPlan } from './save-plan.ts';
import { saveProviders, type NewProvider } from './save-providers.ts';
import { saveTitles, type NewTitle } from './save-title.ts';

export type NewCategory = {
  id: string;
  name: GivenText;
  parentId?: string | null;
  tagId?: string | null;
  kind?: 'category' | 'catalog' | 'titleset';
};

/** What the store asks for at sign-up and in the account; a choice is kept as its `value`. */
export type NewCustomField = {
  id: string;
  kind: CustomField['kind'];
  label: GivenText;
  isRequired?: boolean;
  choices?: { value: string; text: GivenText }[];
};

export type NewStore = {
  id: string;
  host?: string | null;
  isDefault?: boolean;
  appId?: string;
  currency?: string;
  /** in which it sells beside that; where left out, the currencies of what it is given */
  currencies?: string[];
  /** in which its words are that it gives in one language alone; English where it is left out */
  language?: LanguageCode;
  /** by their names on the wire; lists are kept as JSON text; words may be given by language */
  properties?: Record<string, unknown>;
  /** tokens of the store's look by name */
  theme?: Record<string, string>;
  /** signs the sign-on of comments */
  coralSecret?: string;
  /** in the order shown */
  customFields?: NewCustomField[];
  pages?: { name: string; title: GivenText; html: GivenText; isPrivate?: boolean }[];
  /** parents before their children */
  categories?: NewCategory[];
  titles?: NewTitle[];
  /** that customers subscribe to, in the order shown */
  plans?: NewPlan[];
  campaigns?: NewCampaign[];
  /** that its customers redeem */
  codes?: NewCodes[];
  /** by whom its customers sign in, in the order shown */
  providers?: NewProvider[];
};

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const MAX_SHOWN_CHARS = 100;

/**
 * A property as it is kept: lists as JSON text, words in the store's main language and their
 * translations; undefined for null, which takes it back.
 * @throws BadText for an unknown name, and for a value of another type than the property's
 */
export function propertyRow(storeId: string, name: string, given: unknown, main: LanguageCode) {
  if (!isProperty(name)) throw new BadText(`${name} is not a property of a store.`);
  if (given === null) return undefined;
  if (isByLanguage(given) && !isOfWords(name)) throw new BadText(`${name} is the same in every language: give it one value.`);
  const { value, translations } = readTexts(name, { value: isByLanguage(given) ? given : asText(given) }, main);
  for (const text of [value, ...Object.values(translations).map((texts) => texts.value ?? '')]) {
    const expected = expectedInstead(name, text);
    if (expected !== undefined) throw new BadText(`${name} is ${text.slice(0, MAX_SHOWN_CHARS)}: expected ${expected}.`);
  }
  return { store_id: storeId, name, value, translations: JSON.stringify(translations) };
}

/**
 * Checks where receipts lead once all properties are set: the store's own sites may come with the
 * same change.
 * @throws BadText for another host
 */
export async function refuseForeignReceiptLink(trx: Database, storeId: string): Promise<void> {
  const rows = await trx
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', receiptLinkProperties)
    .execute();
  const set = new Map(rows.map(({ name, value }) => [name, value]));
  const expected = receiptLinkInstead(set);
  if (expected === undefined) return;
  const [name] = receiptLinkProperties;
  throw new BadText(`${name} is ${set.get(name)?.slice(0, MAX_SHOWN_CHARS)}: expected ${expected}.`);
}

function nameOf(id: string, given: GivenText, main: LanguageCode) {
  const { name, translations } = readTexts(`The name of category ${id}`, { name: given }, main);
  return { name, translations: JSON.stringify(translations) };
}

function customFieldRow(storeId: string, field: NewCustomField, position: number, main: LanguageCode) {
  const { id, kind, isRequired = false, choices = [] } = field;
  const { label, translations } = readTexts(`The field ${id}`, { label: field.label }, main);
  const named = choices.map(({ value, text }) => ({
    value,
    ...readTexts(`The choice ${value} of the field ${id}`, { text }, main),
  }));
  return {
    store_id: storeId,
    id,
    kind,
    label,
    translations: JSON.stringify(translations),
    is_required: isRequired,
    choices: JSON.stringify(named),
    position,
  };
}

/**
 * A host as browsers name it: in small letters, other scripts in their ASCII form.
 * @throws Error for one with a port, or that is none
 */
export function hostOf(text: string): string {
  const url = URL.parse(`http://${text}`);
  if (url?.host !== url?.hostname || url?.href !== `http://${url?.host}/`)
    throw new Error(`A store's host is a name without a port, like books.example, not "${text}".`);
  return url?.hostname ?? '';
}

/** The currencies of every price that a store is given. */
const currenciesIn = ({ titles = [], plans = [], campaigns = [] }: NewStore): string[] => {
  const prices = [
    ...titles.flatMap((title) => title.prices ?? []),
    ...plans.map(({ price }) => price),
    ...campaigns.flatMap(campaignPrices),
  ];
  return [...new Set(prices.map(({ currency }) => currency))];
};

/**
 * Makes a store with everything in it; all of it or nothing.
 * @throws BadText for words that are not given as they have to be; BadProvider; BadCode
 */
export async function saveStore(db: Database, store: NewStore): Promise<void> {
  const main = store.language ?? 'en';
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('stores')
      .values({
        id: store.id,
        host: typeof store.host === 'string' ? hostOf(store.host) : null,
        is_default: store.isDefault ?? false,
        currency: store.currency ?? 'USD',
        currencies: JSON.stringify(store.currencies ?? currenciesIn(store)),
        language: main,
        coral_secret: store.coralSecret ?? null,
        ...(store.theme === undefined ? {} : { theme: JSON.stringify(store.theme) }),
        ...(store.appId === undefined ? {} : { app_id: store.appId }),
      })
      .execute();
    const properties = Object.entries(store.properties ?? {})
      .filter(([name]) => name !== 'ShelfId')
      .flatMap(([name, value]) => propertyRow(store.id, name, value, main) ?? []);
    if (properties.length > 0) await trx.insertInto('properties').values(properties).execute();
    await refuseForeignReceiptLink(trx, store.id);
    const customFields = (store.customFields ?? []).map((field, place) => customFieldRow(store.id, field, place, main));
    if (customFields.length > 0) await trx.insertInto('custom_fields').values(customFields).execute();
    const pages = (store.pages ?? []).map(({ name, title, html, isPrivate }) => {
      const told = readTexts(`The page ${name}`, { title, html }, main);
      return {
        ...told,
        store_id: store.id,
        name,
        translations: JSON.stringify(told.translations),
        is_private: isPrivate ?? false,
      };
    });
    if (pages.length > 0) await trx.insertInto('pages').values(pages).execute();
    const categories = (store.categories ?? []).map(({ id, name, parentId, tagId, kind }, position) => ({
      store_id: store.id,
      id,
      ...nameOf(id, name, main),
      parent_id: parentId ?? null,
      tag_id: tagId ?? null,
      ...(kind === undefined ? {} : { kind }),
      position,
    }));
    if (categories.length > 0) await trx.insertInto('categories').values(categories).execute();
    if (store.providers) await saveProviders(trx, store.id, store.providers);
    if (store.titles) await saveTitles(trx, store.id, store.titles);
    if (store.plans) await savePlans(trx, store.id, store.plans, main);
    if (store.campaigns) await saveCampaigns(trx, store.id, store.campaigns, main);
    for (const codes of store.codes ?? []) await makeCodes(trx, store.id, codes);
  });
}
