import { clockAhead } from '../base/clock/time.ts';
import type { FastifyRequest } from 'fastify';
import { appearanceOf, lookText } from '../../machines/model/store/appearance.ts';
import type { Region } from '../../machines/model/store/page-template.ts';
import type { Painted, PaintedStyle, PicturePreload, UsedAnswer } from '../../machines/model/store/painting.ts';
import { flows } from '../../machines/flows/registry.ts';
import { hadSecret, redirectOf, routeOf } from '../../machines/flows/routes.ts';
import { categoriesOf } from '../api/catalogue/categories.ts';
import { propertiesOf } from '../api/store/properties.ts';
import { isLanguage, type LanguageCode, languageWanted, type Spoken } from '../base/language.ts';
import { storeAsked } from '../stores/origin.ts';
import type { Services } from '../services.ts';
import type { SharedAnswer } from '../stores/shared-answers.ts';
import type { Store } from '../stores/stores.ts';
import { escapeXml, xmlDocument } from '../base/xml/write.ts';
import { configOf } from './config-json.ts';
import { cookieIn } from '../base/cookies.ts';
import { languageOf, partsOf, unlistedHead } from './head/head-request.ts';
import { inElement, tagsOf, titleOf } from './head/page-head.ts';
import { headOf } from './head/route-head.ts';
import { languages } from './head/words.ts';
import type { PageParts } from './page-parts.ts';
import type { Painter } from './painter.ts';
import { addressIn } from './request-address.ts';
import { withoutScripts } from './without-scripts.ts';

/** A painted screen comes in pieces; what is drawn of the first ones would be moved by the next, so browsers that can wait for all of it. */
const WAIT_FOR_WHOLE = '<link rel="expect" href="#whole" blocking="render" />';
/** The end of a screen: Chromium takes the screen's own element for whole as soon as it has begun. */
const WHOLE = '<template id="whole"></template>';

/** Characters of a category tree that comes with every page; a longer one would weigh on it, and is asked for. */
const LONGEST_TREE = 8_000;

/** `call` is how the path of the call ends, or its path with the query. */
type CallAnswer = { call: string; text: string } | UsedAnswer;

type Answers = { answers: CallAnswer[]; isTranslated: boolean };

/** What the API would answer in that language to the first calls of a page. */
async function answersOf(services: Services, store: Store, spoken: Spoken): Promise<Answers> {
  const properties = await propertiesOf(services.db, store, spoken);
  const categories = await categoriesOf(services, store, spoken);
  const tree = xmlDocument(categories.document);
  return {
    answers: [
      { call: 'store/properties', text: xmlDocument(properties.document) },
      ...(tree.length > LONGEST_TREE ? [] : [{ call: 'categories', text: tree }]),
    ],
    isTranslated: properties.isTranslated || categories.isTranslated,
  };
}

const html = (status: number, text: string): SharedAnswer => ({
  status,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(text),
});

/** The build that pages are made of. */
export type Build = { parts: PageParts; painter: Painter | undefined };

/**
 * The page for a request. Where visitors may see it as it is, it comes painted: with its first screen, and the answers that led there.
 * Otherwise, and where that takes too long, it is the built page with what its first calls would ask for: the configuration and the store's
 * properties and categories as the API answers them, so that the shop opens without a round trip. Both say of themselves the same to search
 * engines and link previews. At a host that is no store's it is the page as built, which then says so.
 */
export async function pageFor(build: Build, services: Services, request: FastifyRequest): Promise<SharedAnswer> {
  const { supportEmail = '' } = services.config;
  const contact = supportEmail === '' ? '' : `<meta name="support" content="${escapeXml(supportEmail)}" />`;
  const store = await storeAsked(services, request);
  if (!store) return html(404, build.parts.template.fill({ head: contact }));
  const config = configOf(store, request, services);
  const requestKey = requestKeyOf(request, store, config.storeAddress);
  const kept = build.painter?.kept(requestKey);
  if (kept) return kept;
  const address = addressIn(request.url);
  const { pathname: path } = address;
  const { language, asked } = languageOf(new URLSearchParams(address.search));
  const visitors = asked ? language.code : chosenLanguage(request);
  const route = routeOf(address);
  const { flow, params, path: known, query: parameters } = route;
  const isPart = 'after' in parameters;
  const filling: Filling = { build, flow, services, store, config, contact, path, isPart, language, asked, visitors };
  const fill = () => filledPage(filling);
  // An address with a secret is one customer's; it is not kept.
  if ('secret' in params) return fill();
  const isOpen = redirectOf(address) === null && !hadSecret(route);
  const painted =
    isOpen && isPainted(flow)
      ? await build.painter?.page(request, paintingOf(filling, request, { known, requestKey }))
      : undefined;
  const what = `page ${config.clockAhead ?? 0} ${config.storeAddress} ${asked ? language.code : ''} ${visitors} ${isPart} ${path}`;
  return painted ?? services.sharedAnswers.of(store, what, fill);
}

/** All of a request that its page may depend on, word for word. */
const requestKeyOf = ({ url, headers }: FastifyRequest, store: Store, address: string): string =>
  [
    store.id,
    store.version,
    clockAhead(),
    address,
    cookieIn(headers.cookie, 'lang'),
    cookieIn(headers.cookie, 'look'),
    headers['accept-language'] ?? '',
    url,
  ].join('\n');

const isPainted = (flow: string): boolean => flows.some((each) => each.name === flow && 'painted' in each);

/** What was chosen before in that browser, else what it prefers: the same as the page finds out for itself. */
function chosenLanguage({ headers }: FastifyRequest): LanguageCode {
  const chosen = cookieIn(headers.cookie, 'lang');
  return isLanguage(chosen) ? chosen : (languageWanted(headers['accept-language']) ?? languages[0].code);
}

/** The look that was chosen in that browser. */
const chosenLook = ({ headers }: FastifyRequest): string => lookText(appearanceOf(cookieIn(headers.cookie, 'look')));

/**
 * How a first screen is painted, and what the page is made of then.
 * @param of.known what the shop knows of the address: whatever else is in it, the page is the same
 * @param of.requestKey by which just this request finds the page again
 */
function paintingOf(filling: Filling, request: FastifyRequest, { known, requestKey }: { known: string; requestKey: string }) {
  const [pathname = '/', query] = known.split(/\?(.*)/s, 2);
  const search = query === undefined ? '' : `?${query}`;
  const { store, config, asked, visitors, services } = filling;
  const look = chosenLook(request);
  let found: ReturnType<typeof headFor> | undefined;
  const head = () => (found ??= headFor(filling));
  return {
    requestKey,
    // Of two `lang` in an address `known` may hold the second alone, which asks for nothing.
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
    fill: (painted: Painted) => paintedPage(filling, painted, { known, head }),
    // What somebody has typed, and where they have got to in a list, is seldom asked for again.
    keeps: !['search', 'after'].some((name) => new URLSearchParams(search).has(name)),
    isNotFound: async () => (await head()).head.status === 404,
  };
}

type Filling = {
  build: Build;
  flow: string;
  services: Services;
  store: Store;
  config: ReturnType<typeof configOf>;
  contact: string;
  path: string;
  /** whether it is of a list that begins further on: such pages come and go, and search engines keep the whole list */
  isPart: boolean;
  /** in which the shop will probably speak to the visitor */
  visitors: LanguageCode;
} & ReturnType<typeof languageOf>;

/** What the page says of itself, and the store's icon. */
async function headFor({ services, store, config, path, isPart, language, asked }: Filling) {
  const spoken = { language: language.code, main: store.language };
  const { record } = await propertiesOf(services.db, store, spoken);
  const setting = { origin: config.storeAddress, shop: record['ShelfName'] ?? '', language, asked };
  const found = await headOf(path, { services, store, record, setting, spoken, parts: partsOf(path) });
  const head = isPart ? unlistedHead(found.name, found.status) : found;
  return { head, setting, icon: record['FavIcon'] ?? '' };
}

/** The page's own title, icon and description, by the regions of its template. */
function ownRegions(
  { contact }: Filling,
  { head, setting, icon }: Awaited<ReturnType<typeof headFor>>,
): { icon?: string; title: string; head: string } {
  return {
    ...(icon === '' ? {} : { icon: `<link rel="icon" href="${escapeXml(icon)}" />` }),
    title: `<title>${escapeXml(titleOf(head, setting))}</title>`,
    head: contact + tagsOf(head, setting),
  };
}

const htmlIn = (language: string): string => `<html lang="${language}">`;

const scriptOf = (code: string): string => `<script>${code}</script>`;

const dataOf = (data: object): string => `<script type="application/json" id="store">${inElement(data)}</script>`;

const preloadOf = ({ src, srcSet, sizes }: PicturePreload): string => {
  // Browsers that do not know `imagesrcset` would fetch `href` beside the picture that they choose.
  const [set, at] = [escapeXml(srcSet || src), escapeXml(sizes)];
  return `<link rel="preload" as="image" imagesrcset="${set}" imagesizes="${at}" fetchpriority="high" />`;
};

const styleOf = ({ names, css }: PaintedStyle): string => `<style data-emotion="${escapeXml(names)}">${css}</style>`;

async function filledPage(filling: Filling): Promise<SharedAnswer> {
  const { build, flow, services, store, config, language, asked, visitors } = filling;
  const { answers, isTranslated } = await answersOf(services, store, { language: visitors, main: store.language });
  const data = dataOf({ config, answers, ...(isTranslated ? { language: visitors } : {}) });
  const found = await headFor(filling);
  const own = ownRegions(filling, found);
  const regions: Partial<Record<Region, string>> = {
    ...own,
    ...(asked ? { html: htmlIn(language.code) } : {}),
    head: own.head + build.parts.hintsFor(flow, visitors) + data,
  };
  return html(found.head.status, build.parts.template.fill(regions));
}

async function paintedPage(
  filling: Filling,
  painted: Painted,
  { known, head }: { known: string; head: () => ReturnType<typeof headFor> },
): Promise<SharedAnswer> {
  const { services, store, flow, config, visitors } = filling;
  const { parts } = filling.build;
  const { template, early } = parts;
  const data = dataOf({ config, answers: painted.answers, language: visitors });
  const found = await head();
  const own = ownRegions(filling, found);
  // The program, and what it needs, comes behind what is looked at: its many bytes would hold up the few of the screen.
  const program = template.built.program + parts.hintsFor(flow, visitors);
  const regions = {
    ...own,
    html: htmlIn(visitors),
    program: '',
    head: [
      own.head,
      WAIT_FOR_WHOLE,
      ...painted.preloads.map(preloadOf),
      ...painted.styles.map(styleOf),
      scriptOf(early.head),
    ].join(''),
    root: painted.html + scriptOf(early.screenEnd) + WHOLE + program + data,
    noscript: await withoutScripts({ services, store, language: visitors, next: painted.next, known }),
  };
  return html(found.head.status, template.fill(regions));
}
