import { clockAhead } from '../base/clock/time.ts';
import type { FastifyRequest } from 'fastify';
import { parseAppearance, formatAppearance } from '../../machines/model/store/appearance.ts';
import type { Region } from '../../machines/model/store/page-template.ts';
import type { RenderedPage, RenderedStyle, PicturePreload, UsedResponse } from '../../machines/model/store/server-rendering.ts';
import { flows } from '../../machines/flows/registry.ts';
import { hasHiddenSecret, findRedirect, parseRoute } from '../../machines/flows/routes.ts';
import { renderCategories } from '../api/catalogue/categories.ts';
import { readConfiguration } from '../api/store/properties.ts';
import { isLanguage, type LanguageCode, findPreferredLanguage, type StoreLanguage } from '../base/language.ts';
import { findRequestedStore } from '../stores/origin.ts';
import type { Services } from '../services.ts';
import type { SharedAnswer } from '../stores/shared-answer-cache.ts';
import type { Store } from '../stores/stores.ts';
import { escapeXml, renderDocument } from '../base/xml/write.ts';
import { toPageConfig } from './config-json.ts';
import { readCookie } from '../base/cookies.ts';
import { readLanguage, splitPath, createUnlistedHead } from './head/head-request.ts';
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
const RENDER_BLOCKING_LINK = '<link rel="expect" href="#whole" blocking="render" />';
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
async function readFirstAnswers(services: Services, store: Store, storeLanguage: StoreLanguage): Promise<Answers> {
  const properties = await readConfiguration(services.db, store, storeLanguage);
  const categories = await renderCategories(services, store, storeLanguage);
  const tree = renderDocument(categories.document);
  return {
    answers: [
      { call: 'store/properties', text: renderDocument(properties.document) },
      ...(tree.length > MAX_TREE_CHARS ? [] : [{ call: 'categories', text: tree }]),
    ],
    isTranslated: properties.isTranslated || categories.isTranslated,
  };
}

const toHtmlAnswer = (status: number, text: string): SharedAnswer => ({
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
  if (!store) return toHtmlAnswer(404, build.parts.template.fill({ head: contact }));
  request.log = request.log.child({ store: store.id });
  const config = toPageConfig(store, request, services);
  const requestKey = toRequestKey(request, store, config.storeAddress);
  const cachedPage = build.pageRenderer?.cached(requestKey);
  if (cachedPage) return cachedPage;
  const address = splitRequestUrl(request.url);
  const { pathname: path } = address;
  const { language, hasLangParameter } = readLanguage(new URLSearchParams(address.search));
  const visitorLanguage = hasLangParameter ? language.code : readChosenLanguage(request);
  const route = parseRoute(address);
  const { flow, params, path: knownPath, query: parameters } = route;
  const isContinuation = 'after' in parameters;
  const options: PageOptions = {
    build,
    flow,
    services,
    store,
    config,
    contact,
    path,
    isContinuation,
    language,
    hasLangParameter,
    visitorLanguage,
  };
  const fill = () => createPlainPage(options);
  // An address with a secret belongs to one customer; its page is not cached.
  if ('secret' in params) return fill();
  const isOpen = findRedirect(address) === null && !hasHiddenSecret(route);
  const renderedPage =
    isOpen && isServerRendered(flow)
      ? await build.pageRenderer?.page(request, createRenderRequest(options, request, { knownPath, requestKey }))
      : undefined;
  const cacheKey = `page ${config.clockAhead ?? 0} ${config.storeAddress} ${hasLangParameter ? language.code : ''} ${visitorLanguage} ${isContinuation} ${path}`;
  return renderedPage ?? services.sharedAnswers.getOrCreate(store, cacheKey, fill);
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
  const cookieLanguage = readCookie(headers.cookie, 'lang');
  return isLanguage(cookieLanguage) ? cookieLanguage : (findPreferredLanguage(headers['accept-language']) ?? languages[0].code);
}

/** The appearance chosen in that browser. */
const readChosenLook = ({ headers }: FastifyRequest): string =>
  formatAppearance(parseAppearance(readCookie(headers.cookie, 'look')));

/**
 * The rendering task of a first screen, and how its page is put together. `knownPath` has the known
 * parts of the address, since the page does not depend on others; `requestKey` is the cache key of
 * exactly this request.
 */
function createRenderRequest(
  options: PageOptions,
  request: FastifyRequest,
  { knownPath, requestKey }: { knownPath: string; requestKey: string },
) {
  const [pathname = '/', query] = knownPath.split(/\?(.*)/s, 2);
  const search = query === undefined ? '' : `?${query}`;
  const { store, config, hasLangParameter, visitorLanguage, services } = options;
  const look = readChosenLook(request);
  let pageHead: ReturnType<typeof readPageHead> | undefined;
  const head = () => (pageHead ??= readPageHead(options));
  return {
    requestKey,
    // With two `lang` in an address, `knownPath` may have only the second, which has no effect.
    name: [
      store.id,
      store.version,
      config.clockAhead ?? 0,
      config.storeAddress,
      hasLangParameter,
      visitorLanguage,
      look,
      knownPath,
    ].join(' '),
    task: {
      config,
      origin: config.storeAddress,
      pathname,
      search,
      language: visitorLanguage,
      look,
      supportEmail: services.config.supportEmail ?? '',
    },
    fill: (rendered: RenderedPage) => createRenderedPage(options, rendered, { knownPath, head }),
    // Searches and positions in a list are rarely requested again: these pages are not cached.
    isCacheable: !['search', 'after'].some((name) => new URLSearchParams(search).has(name)),
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
  isContinuation: boolean;
  /** the language that the visitor will probably get */
  visitorLanguage: LanguageCode;
} & ReturnType<typeof readLanguage>;

/** The page's metadata, and the store's icon. */
async function readPageHead({ services, store, config, path, isContinuation, language, hasLangParameter }: PageOptions) {
  const storeLanguage = { language: language.code, main: store.language };
  const { record } = await readConfiguration(services.db, store, storeLanguage);
  const context = { origin: config.storeAddress, shop: record['ShelfName'] ?? '', language, hasLangParameter };
  const routeHead = await readRouteHead(path, {
    services,
    store,
    record,
    context,
    storeLanguage,
    segments: splitPath(path),
  });
  const head = isContinuation ? createUnlistedHead(routeHead.name, routeHead.status) : routeHead;
  return { head, context, icon: record['FavIcon'] ?? '' };
}

/** The page's own title, icon and description, by the regions of its template. */
function toRegions(
  { contact }: PageOptions,
  { head, context, icon }: Awaited<ReturnType<typeof readPageHead>>,
): { icon?: string; title: string; head: string } {
  return {
    ...(icon === '' ? {} : { icon: `<link rel="icon" href="${escapeXml(icon)}" />` }),
    title: `<title>${escapeXml(formatPageTitle(head, context))}</title>`,
    head: contact + renderHeadTags(head, context),
  };
}

const toHtmlTag = (language: string): string => `<html lang="${language}">`;

const toScriptTag = (code: string): string => `<script>${code}</script>`;

const toDataTag = (data: object): string => `<script type="application/json" id="store">${toElementJson(data)}</script>`;

const toPreloadTag = ({ src, srcSet, sizes }: PicturePreload): string => {
  // Without `href`: browsers that do not know `imagesrcset` would load it in addition to the
  // picture that they choose.
  const [sourceSet, sizesText] = [escapeXml(srcSet || src), escapeXml(sizes)];
  return `<link rel="preload" as="image" imagesrcset="${sourceSet}" imagesizes="${sizesText}" fetchpriority="high" />`;
};

const toStyleTag = ({ names, css }: RenderedStyle): string => `<style data-emotion="${escapeXml(names)}">${css}</style>`;

async function createPlainPage(options: PageOptions): Promise<SharedAnswer> {
  const { build, flow, services, store, config, language, hasLangParameter, visitorLanguage } = options;
  const { answers, isTranslated } = await readFirstAnswers(services, store, { language: visitorLanguage, main: store.language });
  const data = toDataTag({ config, answers, ...(isTranslated ? { language: visitorLanguage } : {}) });
  const pageHead = await readPageHead(options);
  const ownRegions = toRegions(options, pageHead);
  const regions: Partial<Record<Region, string>> = {
    ...ownRegions,
    ...(hasLangParameter ? { html: toHtmlTag(language.code) } : {}),
    head: ownRegions.head + build.parts.renderPreloadHints(flow, visitorLanguage) + data,
  };
  return toHtmlAnswer(pageHead.head.status, build.parts.template.fill(regions));
}

async function createRenderedPage(
  options: PageOptions,
  rendered: RenderedPage,
  { knownPath, head }: { knownPath: string; head: () => ReturnType<typeof readPageHead> },
): Promise<SharedAnswer> {
  const { services, store, flow, config, visitorLanguage } = options;
  const { parts } = options.build;
  const { template, early } = parts;
  const data = toDataTag({ config, answers: rendered.answers, language: visitorLanguage });
  const pageHead = await head();
  const ownRegions = toRegions(options, pageHead);
  // The program and its preload hints come after the visible screen: their many bytes would delay
  // the screen.
  const program = template.built.program + parts.renderPreloadHints(flow, visitorLanguage);
  const regions = {
    ...ownRegions,
    html: toHtmlTag(visitorLanguage),
    program: '',
    head: [
      ownRegions.head,
      RENDER_BLOCKING_LINK,
      ...rendered.preloads.map(toPreloadTag),
      ...rendered.styles.map(toStyleTag),
      toScriptTag(early.head),
    ].join(''),
    root: rendered.html + toScriptTag(early.screenEnd) + END_MARKER + program + data,
    noscript: await renderWithoutScripts({ services, store, language: visitorLanguage, next: rendered.next, knownPath }),
  };
  return toHtmlAnswer(pageHead.head.status, template.fill(regions));
}
