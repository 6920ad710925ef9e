import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { backgrounds } from '../../machines/model/store/appearance.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { flows } from '../../machines/flows/registry.ts';
import { buildWhatIsStale } from '../../tools/start/build.mjs';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import { everyAddress } from '../../tools/shop/demo-addresses.ts';
import { routeAt } from '../../machines/path-models/route-at.ts';
import { StillObserver } from '../support/views/list.ts';
import { hydrate, type Hydrated, type Visit } from './support/hydrate.tsx';
import { setWindowWidth, widths } from './support/window-width.ts';

vi.stubGlobal('ResizeObserver', StillObserver);

const painted = flows.filter((flow) => 'painted' in flow);
const addressesOfPainted = everyAddress.filter(({ flow }) => painted.some(({ name }) => name === flow)).map(({ path }) => path);

/** Those of them that come plain, since they lead elsewhere: to another address, to where customers sign in, or to a title. */
const plain: readonly string[] = [
  '/subscription.aspx?code=c&planid=p',
  '/pages/private/customers-notes',
  '/audio/Four-Walks-Before-Breakfast',
  '/audio/x/1020',
];

/** What no example of the registry shows: queries, ends of a campaign, and what there is none of. */
const besides: readonly string[] = [
  '/all?sort=price',
  '/all?search=harbour',
  '/all?search=nothing-of-that-name',
  '/all?utm_source=letter&sort=price',
  '/id:1001?utm_source=letter&fbclid=x',
  '/id:1011',
  '/id:9999',
  '/pages/public/help',
  '/campaign/evening-reads',
  '/campaign/harbour-day',
  '/nowhere',
];

/** In the demo store, every public address that may come painted; the examples of a new route are among them. */
const paths = [...addressesOfPainted.filter((path) => !plain.includes(path)), ...besides];

let shop: RunningShop;

beforeAll(async () => {
  await buildWhatIsStale();
  shop = await startShop({ env: { PAINT: 'always' } });
}, 240_000);
afterAll(() => shop.remove());

const visitTo = (path: string, more: Partial<Visit> = {}): Visit => ({
  origin: shop.url,
  path,
  language: 'en',
  look: '',
  width: widths[0],
  ...more,
});

const pageOf = async ({ path, language, look }: Visit): Promise<string> => {
  const response = await fetch(shop.url + path, { headers: { accept: 'text/html', cookie: `lang=${language}; look=${look}` } });
  return response.text();
};

/** A grid is measured once it is in a page. */
const withoutMeasures = (html: string): string => html.replaceAll(/(<ul\b[^>]*) style="[^"]*"/g, '$1');

/** That React took a page over as it was painted, and would have drawn the very same by itself. */
const expectTakenOver = ({ keys, html, comparable, complaints, asked }: Hydrated): void => {
  const { own } = keys;
  expect({ keys, complaints, asked }).toEqual({ keys: { painted: own, own, drawn: own }, complaints: [], asked: [] });
  expect(withoutMeasures(html.hydrated)).toBe(withoutMeasures(html.painted));
  expect(comparable.fresh).toBe(comparable.painted);
};

/** Those of a list that are seen in a turn: one, which moves on with each place and turn, or all. */
const inTurn = <Item,>(items: readonly Item[], place: number, turn: string): readonly Item[] =>
  turn === 'all' ? items : items.filter((_, at) => at === (place + Number(turn)) % items.length);

/**
 * Each path in each language, under one of the layout themes and in one of the widths, which take turns so that three turns show each
 * path under every theme in every width; `all` shows that in each of the languages.
 */
const visitsOf = (turn: string) =>
  paths.flatMap((path, row) =>
    languages.flatMap((language, column) =>
      inTurn(backgrounds, row + column, turn).flatMap((background) =>
        inTurn(widths, row + 2 * column, turn).map((width) => ({ path, language, background, width })),
      ),
    ),
  );

/** Asks for things in their order, for each of them while the one before is looked at. */
const oneAhead = <Item, Answer>(items: readonly Item[], ask: (item: Item) => Promise<Answer>) => {
  const asked = new Map<Item | undefined, Promise<Answer>>();
  return async (item: Item): Promise<Answer> => {
    const answer = await (asked.get(item) ?? ask(item));
    asked.clear();
    const next = items[items.indexOf(item) + 1];
    if (next !== undefined) asked.set(next, ask(next));
    // Whoever waits for it is told.
    asked.get(next)?.catch(() => {});
    return answer;
  };
};

/** By which of them the turns begin (`tools/test/parts.ts`). */
const { THEMES: turn = '0' } = process.env;

const visits = visitsOf(turn);

const visitOn = ({ path, language, background, width }: (typeof visits)[number]): Visit =>
  visitTo(path, { language, width, look: `ink.sand.${background}` });

const pageInOrder = oneAhead(visits, (visit) => pageOf(visitOn(visit)));

test.each(visits)('$path in $language on $background is taken over as it was painted, $width pixels wide', async (visit) => {
  expectTakenOver(await hydrate(await pageInOrder(visit), visitOn(visit)));
});

test.each(plain)('%s comes plain', async (path) => {
  expect(addressesOfPainted).toContain(path);
  expect(await pageOf(visitTo(path))).not.toContain('data-painted=');
});

test.each(['/', '/all', '/id:1001'])(
  '%s is taken over where browsers reach the shop by an address that it does not know',
  async (path) => {
    const visit = visitTo(path, { origin: 'https://books.example' });
    const hydrated = await hydrate(await pageOf(visit), visit);
    expectTakenOver(hydrated);
    expect(hydrated.html.painted).not.toContain(shop.url);
  },
);

test.each(['/', '/all', '/id:1001'])(
  'the largest picture of %s is asked for in its head, the program behind the screen',
  async (path) => {
    const page = await pageOf(visitTo(path));
    const [head = '', body = ''] = page.split('</head>');
    const [, behind = ''] = body.split('<template id="whole">');
    const asked = /<link rel="preload" as="image"|<link rel="modulepreload"|<script type="module"/g;
    expect([head, behind].map((part) => [...new Set(part.match(asked))])).toEqual([
      ['<link rel="preload" as="image"'],
      ['<script type="module"', '<link rel="modulepreload"'],
    ]);
    expect(page.match(/<script type="module"/g)).toHaveLength(1);
  },
);

describe('a server that paints a lie is found out', () => {
  const lieIn = async (visit: Visit, truth: RegExp): Promise<Hydrated> => {
    const page = await pageOf(visit);
    const lie = page.replace(truth, '$1lie');
    expect(lie).not.toBe(page);
    return hydrate(lie, visit);
  };

  test.each([
    ['another text', /(<h1\b[^>]*>)[^<]*/],
    ['another address', /(<a\b[^>]* href=")[^"]*/],
    ['another class', /(<h1\b[^>]* class=")[^"]*/],
    ['another style', /(<svg\b[^>]* style="flex:)[^"]*/],
    ['another name for those who listen', /(<button\b[^>]* aria-label=")[^"]*/],
    ['another theme', /(<style>:root\{color-scheme:)\w+/],
  ])('by %s', async (_, truth) => {
    const hydrated = await lieIn(visitTo('/about'), truth);
    expect(() => expectTakenOver(hydrated)).toThrow();
    expect(hydrated.complaints).not.toEqual([]);
    expect(hydrated.comparable.fresh).not.toBe(hydrated.comparable.painted);
  });

  test('by another text of a store', async () => {
    const hydrated = await lieIn(visitTo('/pages/public/help'), /(<p\b[^>]*>)[^<]*(?=<)/);
    expect(() => expectTakenOver(hydrated)).toThrow();
  });

  test('by the key of another state', async () => {
    const hydrated = await lieIn(visitTo('/about'), /(data-painted=")[^"]*/);
    expect(hydrated.keys.painted).toBe('lie');
    expect(() => expectTakenOver(hydrated)).toThrow();
  });
});

describe('of what is painted', () => {
  const product = paths.length * languages.length * backgrounds.length * widths.length;
  const turns = ['0', '1', '2'].map(visitsOf);

  test('all has each page in every language under every layout theme in every width', () => {
    expect(new Set(visitsOf('all').map((visit) => JSON.stringify(visit))).size).toBe(product);
  });

  test('each turn has each page in every language', () => {
    for (const visits of turns) {
      const pages = visits.map(({ path, language }) => `${path} ${language}`);
      expect([pages.length, new Set(pages).size]).toEqual([product / 9, product / 9]);
    }
  });

  test('three turns have each page under every layout theme in every width', () => {
    const shown = turns.flat().map(({ path, background, width }) => `${path} ${background} ${width}`);
    expect(new Set(shown).size).toBe(product / languages.length);
  });

  test('every route of every flow that may come painted is among it', () => {
    expect(painted.flatMap(({ routes }) => routes).filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(new Set(paths.map((path) => routeAt(path).flow))).toEqual(new Set(painted.map(({ name }) => name)));
  });
});

test('a window has the width that it was given', () => {
  const seen = widths.map((width) => {
    setWindowWidth(width);
    return [innerWidth, matchMedia('(min-width: 48em)').matches, matchMedia('(max-width: 1000px)').matches];
  });
  expect(seen).toEqual([
    [390, false, true],
    [820, true, true],
    [1366, true, false],
  ]);
});
