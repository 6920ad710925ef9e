import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../machines/model/store/language-names.ts';
import type { NewCategory } from '../../../server/setup/save-store.ts';
import { openPages } from '../support/pages.ts';

/** A program that renders two titles of a list, and returns the cursor behind them. */
const pageRenderer = `
  export async function render({ config, pathname, search }, call) {
    const asked = new URLSearchParams(search);
    const query = new URLSearchParams({ shelfid: config.storeId, sort: 'title', limit: '2' });
    if (asked.has('after')) query.set('cursor', asked.get('after'));
    const path = '/api/titles?' + query;
    const { text } = await call({ path, language: 'en' });
    const ids = [...text.matchAll(/<TitleId>([^<]*)</g)].map(([, id]) => id);
    const next = text.split(' next="')[1]?.split('"')[0] ?? null;
    const html = '<div id="root"><ul>' + ids.map((id, at) => '<li data-place="' + at + '">' + id + '</li>').join('') + '</ul></div>';
    const shown = { changesAt: [], firstTitle: null, next: pathname === '/about' ? null : next };
    return { html, preloads: [], styles: [], answers: [{ call: path, status: 200, type: 'application/xml', text }], ...shown };
  }
`;

const categories: NewCategory[] = [
  { id: 'novels', name: { en: 'Novels', fr: 'Romans' } },
  { id: 'sea', name: '</noscript><b>Sea & "Sky"', parentId: 'novels' },
  { id: 'essays', name: 'Essays' },
];

/** Too many to include in every page. */
const manyCategories: NewCategory[] = Array.from({ length: 30 }, (_, top) => [
  { id: `top-${top}`, name: `Top ${top}` },
  ...Array.from({ length: 8 }, (__, at) => ({ id: `below-${top}-${at}`, name: `Below ${top} ${at}`, parentId: `top-${top}` })),
]).flat();

let pages: Awaited<ReturnType<typeof openPages>>;
beforeAll(async () => {
  pages = await openPages({ ssr: 'always' }, pageRenderer);
  await pages.shop.store({ host: 'plain.example', categories });
  await pages.shop.store({ host: 'large.example', categories: manyCategories, titles: [] });
});
afterAll(() => pages.close());

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decodeEntities = (text: string): string => text.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** The noscript content, its links, and the rendered ids. */
async function readNoscript(path: string, host = 'plain.example') {
  const { html, lang } = await pages.head(host, path);
  const noscript = /<noscript>(.*?)<\/noscript>/s.exec(html)?.[1] ?? '';
  const links = [...noscript.matchAll(/<a ([^>]*)>([^<]*)<\/a>/g)].map(([, attributes = '', text = '']) => ({
    text: decodeEntities(text),
    href: decodeEntities(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    current: /aria-current="(\w+)"/.exec(attributes)?.[1],
    lang: / lang="(\w+)"/.exec(attributes)?.[1],
  }));
  const rendered = [...html.matchAll(/<li data-place="\d">([^<]*)</g)].map(([, id]) => id);
  const linkOf = (text: string) => links.find((each) => each.text === text);
  return { html, lang, noscript, links, rendered, linkOf, languages: links.filter((each) => each.lang !== undefined) };
}

describe('languages', () => {
  test('are each linked by their own name, at the same address with its known parameters', async () => {
    const { languages: linked } = await readNoscript('/all?utm_source=letter&sort=price&search=sea+%26%22%3Cb%3E');
    expect(linked.slice(0, 2).map(({ text }) => text)).toEqual(['English', '中文']);
    expect(linked.map(({ lang }) => lang)).toEqual(languages);
    for (const { href, lang = '' } of linked) {
      expect(href).toMatch(/^\?/);
      expect(Object.fromEntries(new URLSearchParams(href))).toEqual({ sort: 'price', search: 'sea &"<b>', lang, keep: '' });
    }
  });

  test('mark the current one, which replaces the requested one in links', async () => {
    const french = await readNoscript('/all?lang=fr');
    expect(french.lang).toBe('fr');
    expect(french.languages.filter(({ current }) => current === 'true').map(({ lang }) => lang)).toEqual(['fr']);
    expect(french.languages.map(({ href }) => href)).toEqual(languages.map((code) => `?lang=${code}&keep`));
    expect(french.noscript).toContain('<nav aria-label="Langue">');
    expect((await readNoscript('/all')).languages.find(({ current }) => current)?.lang).toBe('en');
  });

  test('once chosen, are used on later pages', async () => {
    const asked = async (url: string) =>
      (await pages.shop.app.inject({ url, headers: { host: 'plain.example', accept: 'text/html' } })).headers['set-cookie'];
    expect(await asked('/all?lang=fr&keep')).toMatch(/^lang=fr; path=\/; max-age=\d+; samesite=lax$/);
    expect(await asked('/all?lang=fr')).toBeUndefined();
    expect(await asked('/all?lang=xx&keep')).toBeUndefined();
    expect(await asked('/all?lang=fr&lang=fr;domain=x&keep')).toBeUndefined();
  });

  test('do not link to another host from an address that looks like one', async () => {
    const { languages: linked } = await readNoscript('//elsewhere.example');
    expect(linked.map(({ href }) => href)).toContain('?lang=fr&keep');
  });
});

describe('categories', () => {
  test('are nested links, with any text in their names escaped', async () => {
    const { html, noscript, linkOf } = await readNoscript('/all');
    expect(noscript).toContain('<nav aria-label="Categories">');
    expect(noscript).toMatch(/Novels<\/a><ul><li><a [^>]*>[^<]*Sea/);
    expect(linkOf('</noscript><b>Sea & "Sky"')?.href).toMatch(/^\/all\/.*\/sea$/);
    expect(html).not.toContain('<b>Sea');
    expect(html.match(/<\/noscript>/g)).toHaveLength(1);
  });

  test('are named and found in the requested language', async () => {
    const { linkOf } = await readNoscript('/all/romans/novels?lang=fr');
    expect(linkOf('Romans')).toMatchObject({ href: '/all/romans/novels?lang=fr', current: 'page' });
    expect(linkOf('Essays')).toMatchObject({ href: '/all/essays/essays?lang=fr', current: undefined });
  });

  test('of a large tree are those at the top, and those around the current one', async () => {
    const top = await readNoscript('/all', 'large.example');
    expect(top.linkOf('Top 29')?.href).toBe('/all/top-29/top-29');
    expect(top.links.filter(({ text }) => text.startsWith('Below'))).toEqual([]);
    const within = await readNoscript('/all/below-3-0/below-3-0', 'large.example');
    expect(within.links.filter(({ text }) => text.startsWith('Below'))).toHaveLength(8);
    expect(within.linkOf('Below 3 0')?.current).toBe('page');
  });
});

describe('more titles of a list', () => {
  test('are linked page by page to the last one, each once', async () => {
    const met: (string | undefined)[] = [];
    let path = '/all?sort=title&lang=fr';
    for (let page = 0; page < 20; page++) {
      const { rendered, linkOf } = await readNoscript(path);
      met.push(...rendered);
      const more = linkOf('Plus de titres');
      if (!more) break;
      expect(new URLSearchParams(more.href).get('lang')).toBe('fr');
      path = `/all${more.href}`;
    }
    expect(met).toHaveLength(5);
    expect(new Set(met)).toEqual(new Set(['book', 'film', 'gratis', 'not-for-sale', 'sound']));
  });

  test('are not linked at the end of a list, nor on other pages', async () => {
    expect((await readNoscript('/all', 'large.example')).noscript).not.toContain('rel="next"');
    expect((await readNoscript('/about')).noscript).not.toContain('rel="next"');
    expect((await readNoscript('/all')).noscript).toContain('rel="next"');
  });
});

describe('the form of a list', () => {
  const answerTo = async (url: string) => {
    const { statusCode, headers } = await pages.shop.app.inject({ url, headers: { host: 'plain.example', accept: 'text/html' } });
    return [statusCode, headers.location];
  };

  test('redirects to the list’s own address', async () => {
    const fields = 'form=list&usualsort=newest&sort=newest&kind=ebook&kind=audio&set=free%3Dtrue%26pricefrom%3D%26priceto%3D';
    expect(await answerTo(`/all?${fields}&search=sea+%26&pricefrom=3&priceto=`)).toEqual([
      303,
      '/all?search=sea%20%26&kind=audio%2Cebook&free=true',
    ]);
    expect(await answerTo('/all/popular?form=list&sort=popular')).toEqual([303, '/all/popular']);
  });

  test('redirects to no other host, and other addresses do not redirect', async () => {
    expect((await answerTo('//elsewhere.example/all?form=list'))[1]).toBeUndefined();
    expect(await answerTo('/all?kind=ebook&kind=audio')).toEqual([200, undefined]);
  });
});
