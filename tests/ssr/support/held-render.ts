import type { RenderResponse, RenderCall, RenderedPage, RenderTask } from '../../../machines/model/store/server-rendering.ts';
import { render } from '../../../src/ssr/render.tsx';

/**
 * A visit of a store whose texts all contain the store's name and the requested language.
 */
export type StoreVisit = Pick<RenderTask, 'language' | 'look'> & { store: string; path: string };

const createResponse = (type: string, text: string): RenderResponse => ({ status: 200, type: `application/${type}`, text });

const renderTitleXml = (label: string, id: number): string =>
  `<TitleId>${id}</TitleId><Name>${label} ${id}</Name><TitleType>1</TitleType><Medium>epub</Medium>
   <Description>&lt;p&gt;${label} tells ${id}&lt;/p&gt;</Description><Authors><Author>${label} Author</Author></Authors>
   <Prices><Price><Amount>${id}.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices>`;

/** A store's response to a call, in the language of the call. */
export const createFakeResponse = (shelf: string, { path, language }: RenderCall): RenderResponse => {
  const label = `${shelf} (${language})`;
  const call = path.replace(/^\/api\/|\?.*$/g, '');
  const titles = [1, 2, 3].map((id) => `<Title>${renderTitleXml(label, id)}</Title>`).join('');
  switch (call) {
    case 'store/properties':
      return createResponse(
        'xml',
        `<StoreProperties><ShelfId>${shelf}</ShelfId><ShelfName>${label} Books</ShelfName></StoreProperties>`,
      );
    case 'categories':
      return createResponse('xml', `<Categories><Category><Id>10</Id><Name>${label} Tales</Name></Category></Categories>`);
    case 'titles':
      return createResponse('xml', `<Titles><Total>3</Total>${titles}</Titles>`);
    case 'titles/facets':
      return createResponse('json', JSON.stringify({ Total: 3, Categories: [{ Id: '10', Count: 3 }] }));
    case 'titles/1':
      return createResponse('xml', `<Title>${renderTitleXml(label, 1)}</Title>`);
    case 'pages/help':
      return createResponse('json', JSON.stringify({ title: `${label} Help`, html: `<p>${label} helps</p>` }));
    case 'campaign/titles':
      return createResponse(
        'xml',
        `<Campaign><CampaignId>c1</CampaignId><Name>${label} Spring</Name><Message>&lt;b&gt;${label} reads&lt;/b&gt;</Message>
         <Buy>2</Buy><Pick>1</Pick><Titles>${titles}</Titles></Campaign>`,
      );
    case 'plans':
      return createResponse(
        'xml',
        `<Plans><Plan><PlanId>gold</PlanId><Name>${label} Gold</Name><Amount>5</Amount><Currency>EUR</Currency>
         <CurrencySymbol>€</CurrencySymbol><Interval>month</Interval><OpensAll>true</OpensAll></Plan></Plans>`,
      );
    default:
      return { status: 404, type: 'application/xml', text: '<Error><StatusCode>404</StatusCode></Error>' };
  }
};

/** A page whose rendering advances only when the test releases the responses to its calls. */
export const startHeldRender = ({ store, path, language, look }: StoreVisit) => {
  const { origin, pathname, search } = new URL(path, `https://${store.toLowerCase()}.example`);
  const config = { apiBase: '/api', storeId: store };
  const pendingReleases: (() => void)[] = [];
  let releasedCount = 0;
  let changed = Promise.withResolvers<void>();
  let rendering: Promise<RenderedPage | null> | null = null;
  let isRendered = false;

  const call = (renderCall: RenderCall): Promise<RenderResponse> => {
    const { promise, resolve } = Promise.withResolvers<RenderResponse>();
    pendingReleases.push(() => resolve(createFakeResponse(store, renderCall)));
    changed.resolve();
    return promise;
  };
  const startRendering = (): Promise<RenderedPage | null> => {
    const task = { config, origin, pathname, search, language, look, supportEmail: '' };
    // The test releases the responses; the time limit of 60 s never applies.
    rendering ??= render(task, call, 60_000).finally(() => {
      isRendered = true;
      changed.resolve();
    });
    return rendering;
  };
  /** Starts the rendering, or releases the next response as soon as a call awaits it. */
  const releaseNext = async (): Promise<void> => {
    if (rendering === null) return void startRendering();
    while (pendingReleases.length === 0 && !isRendered) {
      await changed.promise;
      changed = Promise.withResolvers();
    }
    const release = pendingReleases.shift();
    if (release === undefined) return;
    releasedCount += 1;
    release();
  };
  return {
    releaseNext,
    /** Releases all remaining responses. @returns the rendered page */
    finish: async (): Promise<RenderedPage> => {
      const rendered = startRendering();
      while (!isRendered) await releaseNext();
      const page = await rendered;
      if (page === null) throw new Error(`The server did not render ${path}.`);
      return page;
    },
    /** The number of released responses. */
    countReleased: (): number => releasedCount,
  };
};
