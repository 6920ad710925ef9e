import type { PaintAnswer, PaintCall, Painted, PaintTask } from '../../../machines/model/store/painting.ts';
import { paint } from '../../../src/painting/paint.tsx';

/** A store whose every word has its name in it, and the language in which it was asked; and one visitor of it. */
export type Visit = Pick<PaintTask, 'language' | 'look'> & { store: string; path: string };

const answerAs = (type: string, text: string): PaintAnswer => ({ status: 200, type: `application/${type}`, text });

const titleOf = (store: string, id: number): string =>
  `<TitleId>${id}</TitleId><Name>${store} ${id}</Name><TitleType>1</TitleType><Medium>epub</Medium>
   <Description>&lt;p&gt;${store} tells ${id}&lt;/p&gt;</Description><Authors><Author>${store} Author</Author></Authors>
   <Prices><Price><Amount>${id}.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices>`;

/** What a store says to a call, in a language. */
export const answerOf = (shelf: string, { path, language }: PaintCall): PaintAnswer => {
  const store = `${shelf} (${language})`;
  const call = path.replace(/^\/api\/|\?.*$/g, '');
  const titles = [1, 2, 3].map((id) => `<Title>${titleOf(store, id)}</Title>`).join('');
  switch (call) {
    case 'store/properties':
      return answerAs(
        'xml',
        `<StoreProperties><ShelfId>${shelf}</ShelfId><ShelfName>${store} Books</ShelfName></StoreProperties>`,
      );
    case 'categories':
      return answerAs('xml', `<Categories><Category><Id>10</Id><Name>${store} Tales</Name></Category></Categories>`);
    case 'titles':
      return answerAs('xml', `<Titles><Total>3</Total>${titles}</Titles>`);
    case 'titles/facets':
      return answerAs('json', JSON.stringify({ Total: 3, Categories: [{ Id: '10', Count: 3 }] }));
    case 'titles/1':
      return answerAs('xml', `<Title>${titleOf(store, 1)}</Title>`);
    case 'pages/help':
      return answerAs('json', JSON.stringify({ title: `${store} Help`, html: `<p>${store} helps</p>` }));
    case 'campaign/titles':
      return answerAs(
        'xml',
        `<Campaign><CampaignId>c1</CampaignId><Name>${store} Spring</Name><Message>&lt;b&gt;${store} reads&lt;/b&gt;</Message>
         <Buy>2</Buy><Pick>1</Pick><Titles>${titles}</Titles></Campaign>`,
      );
    case 'plans':
      return answerAs(
        'xml',
        `<Plans><Plan><PlanId>gold</PlanId><Name>${store} Gold</Name><Amount>5</Amount><Currency>EUR</Currency>
         <CurrencySymbol>€</CurrencySymbol><Interval>month</Interval><OpensAll>true</OpensAll></Plan></Plans>`,
      );
    default:
      return { status: 404, type: 'application/xml', text: '<Error><StatusCode>404</StatusCode></Error>' };
  }
};

/** A page that is painted as fast as its answers are handed out, which wait for whoever holds them. */
export const heldPaint = ({ store, path, language, look }: Visit) => {
  const { origin, pathname, search } = new URL(path, `https://${store.toLowerCase()}.example`);
  const config = { apiBase: '/api', storeId: store };
  const waiting: (() => void)[] = [];
  let handed = 0;
  let changed = Promise.withResolvers<void>();
  let begun: Promise<Painted | null> | null = null;
  let isOver = false;

  const call = (asked: PaintCall): Promise<PaintAnswer> => {
    const { promise, resolve } = Promise.withResolvers<PaintAnswer>();
    waiting.push(() => resolve(answerOf(store, asked)));
    changed.resolve();
    return promise;
  };
  const begin = (): Promise<Painted | null> => {
    const task = { config, origin, pathname, search, language, look, supportEmail: '' };
    // Its answers come when the test says so, not in time.
    begun ??= paint(task, call, 60_000).finally(() => {
      isOver = true;
      changed.resolve();
    });
    return begun;
  };
  /** Begins, or hands out the next answer as soon as one is waited for. */
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
    /** Hands out whatever is still waited for. */
    finish: async (): Promise<Painted> => {
      const painted = begin();
      while (!isOver) await goOn();
      const page = await painted;
      if (page === null) throw new Error(`${path} was not painted.`);
      return page;
    },
    /** How many answers were handed out. */
    handed: (): number => handed,
  };
};
