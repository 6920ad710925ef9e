import { clockAhead } from '../base/clock/time.ts';
import type { FastifyRequest } from 'fastify';
import { parseAppearance, formatAppearance } from '../../machines/model/store/appearance.ts';
import type { Region } from '../../machines/model/store/page-template.ts';
import type { RenderedPage, RenderedStyle, PicturePreload, UsedResponse } from '../../machines/model/store/server-rendering.ts';
import { flows } from '../../machines/flows/registry.ts';
import { hasHiddenSecret, findRedirect, parseRoute } from '../../machines/flows/routes.ts';
import { renderCategories } from '../api/catalogue/categories.ts';
import { readConfiguration } from '../api/store/properties.ts';
import { isLanguage, type LanguageCode, findSpokenLanguage, type StoreLanguage } from '../base/language.ts';
import { findRequestedStore } from '../stores/origin.ts';
import type { Services } from '../services.ts';
import type { SharedAnswer } from '../stores/shared-answer-cache.ts';
import type { Store } from '../stores/stores.ts';
import { escapeXml, xmlDocument } from '../base/xml/write.ts';
import { toPageConfig } from './config-json.ts';
import { readCookie } from '../base/cookies.ts';
import { readLanguage, splitPath, unlistedHead } from './head/head-request.ts';
import { toElementJson, renderHeadTags, formatPageTitle } from './head/page-head.ts';
import { readRouteHead } from './head/route-head.ts';
import { languages } from './head/words.ts';
import type { PageParts } from './page-parts.ts';
import type { PageRenderer } from './page-renderer.ts';
import { splitRequestUrl } from './request-address.ts';
import { renderWithoutScripts } from './without-scripts.ts';

/**
 * A server-rendered screen arrives in pieces; later pieces would shift the layout of the first
 * ones, so browsers that support it block rendering until all of it is there.
 */
const WAIT_FOR_WHOLE = '<link rel="expect" href="#whole" blocking="render" />';
/**
 * Marks the end of a screen: Chromium considers the screen's own element complete as soon as it has
 * started.
 */
const END_MARKER = '<template id="whole"></template>';

/**
 * Maximum characters of a category tree that is sent with every page; a larger one is loaded by a
 * call.
 */
const MAX_TREE_CHARS = 8_000;

/** `call` is the last part of the call's path, or its path with the query. */
type CallAnswer = { call: string; text: string } | UsedResponse;

type Answers = { answers: CallAnswer[]; isTranslated: boolean };

/** The API's answers in that language to the first calls of a page. */
async function readFirstAnswers(services: Services, store: Store, spoken: StoreLanguage): Promise<Answers> {
  const properties = await readConfiguration(services.db, store, spoken);
  const categories = await renderCategories(services, store, spoken);
  const tree = xmlDocument(categories.document);
  return {
    answers: [
      { call: 'store/properties', text: xmlDocument(properties.document) },
      ...(tree.length > MAX_TREE_CHARS ? [] : [{ call: 'categories', text: tree }]),
    ],
    isTranslated: properties.isTranslated || categories.isTranslated,
  };
}

const html = (status: number, text: string): SharedAnswer => ({
  status,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(text),
});

/** The build that pages are made from. */
export type Build = { parts: PageParts; pageRenderer: PageRenderer | undefined };

/**
 * The page for a request. Where all visitors get the same screen, it is server-rendered: with its
 * first screen, and the API answers used for it. Otherwise, and where rendering takes too long, it
 * is the built page with the answers to its first calls: the configuration and the store's
 * properties and categories, so that the shop opens without a round trip. Both have the same
 * metadata for search engines and link previews. At a host without a store it is the page as built,
 * which then says so.
 */
export async function getPage(build: Build, services: Services, request: FastifyRequest): Promise<SharedAnswer> {
  const { supportEmail = '' } = services.config;
  const contact = supportEmail === '' ? '' : `<meta name="support" content="${escapeXml(supportEmail)}" />`;
  const store = await findRequestedStore(services, request);
  if (!store) return html(404, build.parts.template.fill({ head: contact }));
  const config = toPageConfig(store, request, services);
  const requestKey = toRequestKey(request, store, config.storeAddress);
  const cached = build.pageRenderer?.cached(requestKey);
  if (cached) return cached;
  const address = splitRequestUrl(request.url);
  const { pathname: path } = address;
  const { language, asked } = readLanguage(new URLSearchParams(address.search));
  const visitors = asked ? language.code : readChosenLanguage(request);
  const route = parseRoute(address);
  const { flow, params, path: known, query: parameters } = route;
  const isPart = 'after' in parameters;
  const filling: PageOptions = { build, flow, services, store, config, contact, path, isPart, language, asked, visitors };
  const fill = () => createPlainPage(filling);
  // An address with a secret belongs to one customer; its page is not cached.
  if ('secret' in params) return fill();
  const isOpen = findRedirect(address) === null && !hasHiddenSecret(route);
  const rendered =
    isOpen && isServerRendered(flow)
      ? await build.pageRenderer?.page(request, renderContextOf(filling, request, { known, requestKey }))
      : undefined;
  const what = `page ${config.clockAhead ?? 0} ${config.storeAddress} ${asked ? language.code : ''} ${visitors} ${isPart} ${path}`;
  return rendered ?? services.sharedAnswers.getOrCreate(store, what, fill);
}

/** All parts of a request that its page may depend on, unchanged. */
const toRequestKey = ({ url, headers }: FastifyRequest, store: Store, address: string): string =>
  [
    store.id,
    store.version,
    clockAhead(),
    address,
    readCookie(headers.cookie, 'lang'),
    readCookie(headers.cookie, 'look'),
    headers['accept-language'] ?? '',
    url,
  ].join('\n');

const isServerRendered = (flow: string): boolean => flows.some((each) => each.name === flow && 'serverRendered' in each);

/**
 * The language chosen in that browser before, else its preferred one: the same as the page
 * determines itself.
 */
function readChosenLanguage({ headers }: FastifyRequest): LanguageCode {
  const chosen = readCookie(headers.cookie, 'lang');
  return isLanguage(chosen) ? chosen : (findSpokenLanguage(headers['accept-language']) ?? languages[0].code);
}

/** The appearance chosen in that browser. */
const readChosenLook = ({ headers }: FastifyRequest): string =>
  formatAppearance(parseAppearance(readCookie(headers.cookie, 'look')));

/**
 * The rendering task of a first screen, and how its page is put together.
 * @param of.known the known parts of the address: the page does not depend on others
 * @param of.requestKey the cache key of exactly this request
 */
function renderContextOf(
  filling: PageOptions,
  request: FastifyRequest,
  { known, requestKey }: { known: string; requestKey: string },
) {
  const [pathname = '/', query] = known.split(/\?(.*)/s, 2);
  const search = query === undefined ? '' : `?${query}`;
  const { store, config, asked, visitors, services } = filling;
  const look = readChosenLook(request);
  let found: ReturnType<typeof readPageHead> | undefined;
  const head = () => (found ??= readPageHead(filling));
  return {
    requestKey,
    // With two `lang` in an address, `known` may have only the second, which has no effect.
    name: [store.id, store.version, config.clockAhead ?? 0, config.storeAddress, asked, visitors, look, known].join(' '),
    task: {
      config,
      origin: config.storeAddress,
      pathname,
      search,
      language: visitors,
      look,
      supportEmail: services.config.supportEmail ?? '',
    },
    fill: (rendered: RenderedPage) => pageWithScreen(filling, rendered, { known, head }),
    // Searches and positions in a list are rarely requested again: these pages are not cached.
    keeps: !['search', 'after'].some((name) => new URLSearchParams(search).has(name)),
    isNotFound: async () => (await head()).head.status === 404,
  };
}

type PageOptions = {
  build: Build;
  flow: string;
  services: Services;
  store: Store;
  config: ReturnType<typeof toPageConfig>;
  contact: string;
  path: string;
  /**
   * whether it shows a list from a later position: such pages are not indexed, since search engines
   * index the whole list
   */
  isPart: boolean;
  /** the language that the visitor will probably get */
  visitors: LanguageCode;
} & ReturnType<typeof readLanguage>;

/** The page's metadata, and the store's icon. */
async function readPageHead({ services, store, config, path, isPart, language, asked }: PageOptions) {
  const spoken = { language: language.code, main: store.language };
  const { record } = await readConfiguration(services.db, store, spoken);
  const setting = { origin: config.storeAddress, shop: record['ShelfName'] ?? '', language, asked };
  const found = await readRouteHead(path, { services, store, record, setting, spoken, parts: splitPath(path) });
  const head = isPart ? unlistedHead(found.name, found.status) : found;
  return { head, setting, icon: record['FavIcon'] ?? '' };
}

/** The page's own title, icon and description, by the regions of its template. */
function toRegions(
  { contact }: PageOptions,
  { head, setting, icon }: Awaited<ReturnType<typeof readPageHead>>,
): { icon?: string; title: string; head: string } {
  return {
    ...(icon === '' ? {} : { icon: `<link rel="icon" href="${escapeXml(icon)}" />` }),
    title: `<title>${escapeXml(formatPageTitle(head, setting))}</title>`,
    head: contact + renderHeadTags(head, setting),
  };
}

const toHtmlTag = (language: string): string => `<html lang="${language}">`;

const toScriptTag = (code: string): string => `<script>${code}</script>`;

const toDataTag = (data: object): string => `<script type="application/json" id="store">${toElementJson(data)}</script>`;

const toPreloadTag = ({ src, srcSet, sizes }: PicturePreload): string => {
  // Without `href`: browsers that do not know `imagesrcset` would load it in addition to the
  // picture that they choose.
  const [set, at] = [escapeXml(srcSet || src), escapeXml(sizes)];
  return `<link rel="preload" as="image" imagesrcset="${set}" imagesizes="${at}" fetchpriority="high" />`;
};

const toStyleTag = ({ names, css }: RenderedStyle): string => `<style data-emotion="${escapeXml(names)}">${css}</style>`;

async function createPlainPage(filling: PageOptions): Promise<SharedAnswer> {
  const { build, flow, services, store, config, language, asked, visitors } = filling;
  const { answers, isTranslated } = await readFirstAnswers(services, store, { language: visitors, main: store.language });
  const data = toDataTag({ config, answers, ...(isTranslated ? { language: visitors } : {}) });
  const found = await readPageHead(filling);
  const own = toRegions(filling, found);
  const regions: Partial<Record<Region, string>> = {
    ...own,
    ...(asked ? { html: toHtmlTag(language.code) } : {}),
    head: own.head + build.parts.hintsFor(flow, visitors) + data,
  };
  return html(found.head.status, build.parts.template.fill(regions));
}

async function pageWithScreen(
  filling: PageOptions,
  rendered: RenderedPage,
  { known, head }: { known: string; head: () => ReturnType<typeof readPageHead> },
): Promise<SharedAnswer> {
  const { services, store, flow, config, visitors } = filling;
  const { parts } = filling.build;
  const { template, early } = parts;
  const data = toDataTag({ config, answers: rendered.answers, language: visitors });
  const found = await head();
  const own = toRegions(filling, found);
  // The program and its preload hints come after the visible screen: their many bytes would delay
  // the screen.
  const program = template.built.program + parts.hintsFor(flow, visitors);
  const regions = {
    ...own,
    html: toHtmlTag(visitors),
    program: '',
    head: [
      own.head,
      WAIT_FOR_WHOLE,
      ...rendered.preloads.map(toPreloadTag),
      ...rendered.styles.map(toStyleTag),
      toScriptTag(early.head),
    ].join(''),
    root: rendered.html + toScriptTag(early.screenEnd) + END_MARKER + program + data,
    noscript: await renderWithoutScripts({ services, store, language: visitors, next: rendered.next, known }),
  };
  return html(found.head.status, template.fill(regions));
}
