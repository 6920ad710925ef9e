import type { FastifyRequest } from 'fastify';
import { categoriesOf } from '../api/categories.ts';
import { propertiesOf } from '../api/properties.ts';
import { storeAsked } from '../origin.ts';
import { routeOf } from '../../src/flows/routes.ts';
import { type LanguageCode, languageWanted, type Spoken } from '../language.ts';
import type { Services } from '../services.ts';
import type { SharedAnswer } from '../shared-answers.ts';
import type { Store } from '../stores.ts';
import { escapeXml, xmlDocument } from '../xml/write.ts';
import { configOf } from './config-json.ts';
import { languageOf, partsOf } from './head/head-request.ts';
import { inElement, tagsOf, titleOf } from './head/page-head.ts';
import { languages } from './head/words.ts';
import { headOf } from './head/route-head.ts';

const ICON = /<link rel="icon"[^>]*>/;
const TITLE = /<title>[^<]*<\/title>/;
const LANGUAGE = /<html lang="[a-z]+"/;

/** Characters of a category tree that comes with every page; a longer one would weigh on it, and is asked for. */
const LONGEST_TREE = 8_000;

type CallAnswer = { call: string; xml: string };

type Answers = { answers: CallAnswer[]; isTranslated: boolean };

/** What the API would answer in that language to the first calls of a page. */
async function answersOf(services: Services, store: Store, spoken: Spoken): Promise<Answers> {
  const properties = await propertiesOf(services.db, store, spoken);
  const categories = await categoriesOf(services, store, spoken);
  const tree = xmlDocument(categories.document);
  return {
    answers: [
      { call: 'store/properties', xml: xmlDocument(properties.document) },
      ...(tree.length > LONGEST_TREE ? [] : [{ call: 'categories', xml: tree }]),
    ],
    isTranslated: properties.isTranslated || categories.isTranslated,
  };
}

const html = (status: number, text: string): SharedAnswer => ({
  status,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(text),
});

/**
 * The built page with what its first calls would ask for, the configuration and the store's properties and categories as
 * the API answers them, so that the shop opens without a round trip; and with what it says of itself to search engines and link
 * previews. At a host that is no store's it is the page as built, which then says so.
 */
export async function pageFor(template: string, services: Services, request: FastifyRequest): Promise<SharedAnswer> {
  const { supportEmail } = services.config;
  const contact = supportEmail === undefined ? '' : `<meta name="support" content="${escapeXml(supportEmail)}" />`;
  const store = await storeAsked(services, request);
  if (!store)
    return html(
      404,
      template.replace('</head>', () => `${contact}</head>`),
    );
  const [path = '/', query = ''] = request.url.split('?', 2);
  const { language, asked } = languageOf(new URLSearchParams(query));
  const config = configOf(store, request, services);
  // The page will speak what its address asks for, else the browser's language, unless its user chose another one before.
  const visitors = asked ? language.code : (languageWanted(request.headers['accept-language']) ?? languages[0].code);
  const fill = () => filledPage(template, { services, store, config, contact, path, language, asked, visitors });
  // An address with a secret is one customer's; it is not kept.
  if ('secret' in routeOf({ pathname: path, search: '' }).params) return fill();
  const what = `page ${config.storeAddress} ${asked ? language.code : ''} ${visitors} ${path}`;
  return services.sharedAnswers.of(store, what, fill);
}

type Filling = {
  services: Services;
  store: Store;
  config: ReturnType<typeof configOf>;
  contact: string;
  path: string;
  /** in which the shop will probably speak to the visitor */
  visitors: LanguageCode;
} & ReturnType<typeof languageOf>;

async function filledPage(
  template: string,
  { services, store, config, contact, path, language, asked, visitors }: Filling,
): Promise<SharedAnswer> {
  const spoken = { language: language.code, main: store.language };
  const { record } = await propertiesOf(services.db, store, spoken);
  const setting = { origin: config.storeAddress, shop: record['ShelfName'] ?? '', language, asked };
  const head = await headOf(path, { services, store, record, setting, spoken, parts: partsOf(path) });
  const { answers, isTranslated } = await answersOf(services, store, { language: visitors, main: store.language });
  const data = inElement({ config, answers, ...(isTranslated ? { language: visitors } : {}) });
  const icon = record['FavIcon'] ?? '';
  // Texts of the store never stand as patterns of a replacement: each comes out of a function.
  const text = template
    .replace(ICON, (built) => (icon === '' ? built : `<link rel="icon" href="${escapeXml(icon)}" />`))
    .replace(LANGUAGE, (built) => (asked ? `<html lang="${language.code}"` : built))
    .replace(TITLE, () => `<title>${escapeXml(titleOf(head, setting))}</title>`)
    .replace(
      '</head>',
      () => `${contact}${tagsOf(head, setting)}<script type="application/json" id="store">${data}</script></head>`,
    );
  return html(head.status, text);
}
