import type { CustomField } from '../../machines/model/account/custom-field.ts';
import { inTransaction, type Database } from '../database/open.ts';
import { makeCodes, type NewCodes } from '../codes/make-codes.ts';
import {
  findExpectedType,
  isTranslatable,
  isProperty,
  findExpectedReceiptLink,
  receiptLinkProperties,
} from '../stores/store-properties.ts';
import { BadText, type TextByLanguage, isByLanguage, type LanguageCode, readTexts } from '../base/language.ts';
import { listCampaignPrices, saveCampaigns, type NewCampaign } from './save-campaign.ts';
import { savePlans, type NewPlan } from './save-plan.ts';
import { saveProviders, type NewProvider } from './save-providers.ts';
import { saveTitles, type NewTitle } from './save-title.ts';

export type NewCategory = {
  id: string;
  name: TextByLanguage;
  parentId?: string | null;
  tagId?: string | null;
  kind?: 'category' | 'catalog' | 'titleset';
};

/** A custom field at sign-up and in the account; a choice is stored as its `value`. */
export type NewCustomField = {
  id: string;
  kind: CustomField['kind'];
  label: TextByLanguage;
  isRequired?: boolean;
  choices?: { value: string; text: TextByLanguage }[];
};

export type NewStore = {
  id: string;
  host?: string | null;
  isDefault?: boolean;
  appId?: string;
  currency?: string;
  /** further currencies that it sells in; left out, the currencies of all given prices */
  currencies?: string[];
  /** language of the texts that are given in one language only; English by default */
  language?: LanguageCode;
  /** by their names on the wire; lists are stored as JSON text; texts may be given by language */
  properties?: Record<string, unknown>;
  /** design tokens by name */
  theme?: Record<string, string>;
  /** secret that signs the single sign-on of comments */
  coralSecret?: string;
  /** in display order */
  customFields?: NewCustomField[];
  pages?: { name: string; title: TextByLanguage; html: TextByLanguage; isPrivate?: boolean }[];
  /** parents before their children */
  categories?: NewCategory[];
  titles?: NewTitle[];
  /** plans on offer, in display order */
  plans?: NewPlan[];
  campaigns?: NewCampaign[];
  /** codes that customers can redeem */
  codes?: NewCodes[];
  /** identity providers, in display order */
  providers?: NewProvider[];
};

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const MAX_SHOWN_CHARS = 100;

/**
 * A property as it is stored: lists as JSON text, texts in the store's main language with
 * translations; undefined for null, which resets it.
 * @throws BadText for an unknown name, for a value of the wrong type, and for texts by language
 * where the property has one for all
 */
export function toPropertyRow(storeId: string, name: string, input: unknown, main: LanguageCode) {
  if (!isProperty(name)) throw new BadText(`Unknown store property: ${name}.`);
  if (input === null) return undefined;
  if (isByLanguage(input) && !isTranslatable(name))
    throw new BadText(`${name} is the same in every language: give it one value.`);
  const { value, translations } = readTexts(name, { value: isByLanguage(input) ? input : toText(input) }, main);
  for (const text of [value, ...Object.values(translations).map((texts) => texts.value ?? '')]) {
    const expected = findExpectedType(name, text);
    if (expected !== undefined) throw new BadText(`${name} is ${text.slice(0, MAX_SHOWN_CHARS)}: expected ${expected}.`);
  }
  return { store_id: storeId, name, value, translations: JSON.stringify(translations) };
}

/**
 * Checks the link of receipts once all properties are set: the store's own sites may be set in the
 * same change.
 * @throws BadText for another host
 */
export async function assertReceiptLinkIsOwn(trx: Database, storeId: string): Promise<void> {
  const rows = await trx
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', receiptLinkProperties)
    .execute();
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const expected = findExpectedReceiptLink(values);
  if (expected === undefined) return;
  const [name] = receiptLinkProperties;
  throw new BadText(`${name} is ${values.get(name)?.slice(0, MAX_SHOWN_CHARS)}: expected ${expected}.`);
}

function toNameColumns(id: string, names: TextByLanguage, main: LanguageCode) {
  const { name, translations } = readTexts(`The name of category ${id}`, { name: names }, main);
  return { name, translations: JSON.stringify(translations) };
}

function toCustomFieldRow(storeId: string, field: NewCustomField, position: number, main: LanguageCode) {
  const { id, kind, isRequired = false, choices = [] } = field;
  const { label, translations } = readTexts(`The field ${id}`, { label: field.label }, main);
  const choiceTexts = choices.map(({ value, text }) => ({
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
    choices: JSON.stringify(choiceTexts),
    position,
  };
}

/**
 * A host in the form of browsers: lower case, other scripts in their ASCII form.
 * @throws Error for a host with a port, or an invalid one
 */
export function parseHost(text: string): string {
  const url = URL.parse(`http://${text}`);
  if (url?.host !== url?.hostname || url?.href !== `http://${url?.host}/`)
    throw new Error(`The host of a store must be a name without a port, like books.example, not "${text}".`);
  return url?.hostname ?? '';
}

/** The currencies of all prices in a new store. */
const listCurrencies = ({ titles = [], plans = [], campaigns = [] }: NewStore): string[] => {
  const prices = [
    ...titles.flatMap((title) => title.prices ?? []),
    ...plans.map(({ price }) => price),
    ...campaigns.flatMap(listCampaignPrices),
  ];
  return [...new Set(prices.map(({ currency }) => currency))];
};

/**
 * Creates a store with all its content, or nothing.
 * @throws BadText for invalid texts; BadAmount; BadProvider; InvalidCode; Error for an invalid host
 */
export async function saveStore(db: Database, store: NewStore): Promise<void> {
  const main = store.language ?? 'en';
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('stores')
      .values({
        id: store.id,
        host: typeof store.host === 'string' ? parseHost(store.host) : null,
        is_default: store.isDefault ?? false,
        currency: store.currency ?? 'USD',
        currencies: JSON.stringify(store.currencies ?? listCurrencies(store)),
        language: main,
        coral_secret: store.coralSecret ?? null,
        ...(store.theme === undefined ? {} : { theme: JSON.stringify(store.theme) }),
        ...(store.appId === undefined ? {} : { app_id: store.appId }),
      })
      .execute();
    const properties = Object.entries(store.properties ?? {})
      .filter(([name]) => name !== 'ShelfId')
      .flatMap(([name, value]) => toPropertyRow(store.id, name, value, main) ?? []);
    if (properties.length > 0) await trx.insertInto('properties').values(properties).execute();
    await assertReceiptLinkIsOwn(trx, store.id);
    const customFields = (store.customFields ?? []).map((field, index) => toCustomFieldRow(store.id, field, index, main));
    if (customFields.length > 0) await trx.insertInto('custom_fields').values(customFields).execute();
    const pages = (store.pages ?? []).map(({ name, title, html, isPrivate }) => {
      const texts = readTexts(`The page ${name}`, { title, html }, main);
      return {
        ...texts,
        store_id: store.id,
        name,
        translations: JSON.stringify(texts.translations),
        is_private: isPrivate ?? false,
      };
    });
    if (pages.length > 0) await trx.insertInto('pages').values(pages).execute();
    const categories = (store.categories ?? []).map(({ id, name, parentId, tagId, kind }, position) => ({
      store_id: store.id,
      id,
      ...toNameColumns(id, name, main),
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
