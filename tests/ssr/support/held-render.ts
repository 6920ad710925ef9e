import type { RenderResponse, RenderCall, RenderedPage, RenderTask } from '../../../machines/model/store/server-rendering.ts';
import { render } from '../../../src/ssr/render.tsx';

/**
 * A store whose every text has its name and the requested language in it; and one visitor of it.
 */
export type StoreVisit = Pick<RenderTask, 'language' | 'look'> & { store: string; path: string };

const makeAnswer = (type: string, text: string): RenderResponse => ({ status: 200, type: `application/${type}`, text });

const titleXml = (store: string, id: number): string =>
  `<TitleId>${id}</TitleId><Name>${store} ${id}</Name><TitleType>1</TitleType><Medium>epub</Medium>
   <Description>&lt;p&gt;${store} tells ${id}&lt;/p&gt;</Description><Authors><Author>${store} Author</Author></Authors>
   <Prices><Price><Amount>${id}.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices>`;

/** A store's answer to a call, in a language. */
export const fakeAnswer = (shelf: string, { path, language }: RenderCall): RenderResponse => {
  const store = `${shelf} (${language})`;
  const call = path.replace(/^\/api\/|\?.*$/g, '');
  const titles = [1, 2, 3].map((id) => `<Title>${titleXml(store, id)}</Title>`).join('');
  switch (call) {
    case 'store/properties':
      return makeAnswer(
        'xml',
        `<StoreProperties><ShelfId>${shelf}</ShelfId><ShelfName>${store} Books</ShelfName></StoreProperties>`,
      );
    case 'categories':
      return makeAnswer('xml', `<Categories><Category><Id>10</Id><Name>${store} Tales</Name></Category></Categories>`);
    case 'titles':
      return makeAnswer('xml', `<Titles><Total>3</Total>${titles}</Titles>`);
    case 'titles/facets':
      return makeAnswer('json', JSON.stringify({ Total: 3, Categories: [{ Id: '10', Count: 3 }] }));
    case 'titles/1':
      return makeAnswer('xml', `<Title>${titleXml(store, 1)}</Title>`);
    case 'pages/help':
      return makeAnswer('json', JSON.stringify({ title: `${store} Help`, html: `<p>${store} helps</p>` }));
    case 'campaign/titles':
      return makeAnswer(
        'xml',
        `<Campaign><CampaignId>c1</CampaignId><Name>${store} Spring</Name><Message>&lt;b&gt;${store} reads&lt;/b&gt;</Message>
         <Buy>2</Buy><Pick>1</Pick><Titles>${titles}</Titles></Campaign>`,
      );
    case 'plans':
      return makeAnswer(
        'xml',
        `<Plans><Plan><PlanId>gold</PlanId><Name>${store} Gold</Name><Amount>5</Amount><Currency>EUR</Currency>
         <CurrencySymbol>€</CurrencySymbol><Interval>month</Interval><OpensAll>true</OpensAll></Plan></Plans>`,
      );
    default:
      return { status: 404, type: 'application/xml', text: '<Error><StatusCode>404</StatusCode></Error>' };
  }
};

/** A page whose rendering advances only as the test releases its answers. */
export const heldRender = ({ store, path, language, look }: StoreVisit) => {
  const { origin, pathname, search } = new URL(path, `https://${store.toLowerCase()}.example`);
  const config = { apiBase: '/api', storeId: store };
  const waiting: (() => void)[] = [];
  let handed = 0;
  let changed = Promise.withResolvers<void>();
  let begun: Promise<RenderedPage | null> | null = null;
  let isOver = false;

  const call = (asked: RenderCall): Promise<RenderResponse> => {
    const { promise, resolve } = Promise.withResolvers<RenderResponse>();
    waiting.push(() => resolve(fakeAnswer(store, asked)));
    changed.resolve();
    return promise;
  };
  const begin = (): Promise<RenderedPage | null> => {
    const task = { config, origin, pathname, search, language, look, supportEmail: '' };
    // The test releases the answers; no time limit applies.
    begun ??= render(task, call, 60_000).finally(() => {
      isOver = true;
      changed.resolve();
    });
    return begun;
  };
  /** Starts the rendering, or releases the next answer as soon as one is awaited. */
  const goOn = async (): Promise<void> => {
    if (begun === null) return void begin();
    while (waiting.length === 0 && !isOver) {
      await changed.promise;
      changed = Promise.withResolvers();
    }
    const hand = waiting.shift();
    if (hand === undefined) return;
    handed += 1;
    hand();
  };
  return {
    goOn,
    /** Releases all remaining answers. */
    finish: async (): Promise<RenderedPage> => {
      const rendered = begin();
      while (!isOver) await goOn();
      const page = await rendered;
      if (page === null) throw new Error(`The server did not render ${path}.`);
      return page;
    },
    /** The number of released answers. */
    handed: (): number => handed,
  };
};
