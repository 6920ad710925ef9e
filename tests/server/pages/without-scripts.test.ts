import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../machines/model/store/language-names.ts';
import type { NewCategory } from '../../../server/setup/save-store.ts';
import { openPages } from '../support/pages.ts';

/** A program that renders two titles of a list, and returns the cursor behind them. */
const pageRenderer = `
  export async function render({ config, pathname, search }, call) {
    const parameters = new URLSearchParams(search);
    const query = new URLSearchParams({ shelfid: config.storeId, sort: 'title', limit: '2' });
    if (parameters.has('after')) query.set('cursor', parameters.get('after'));
    const path = '/api/titles?' + query;
    const { text } = await call({ path, language: 'en' });
    const ids = [...text.matchAll(/<TitleId>([^<]*)</g)].map(([, id]) => id);
    const next = text.split(' next="')[1]?.split('"')[0] ?? null;
    const html = '<div id="root"><ul>' + ids.map((id, index) => '<li data-place="' + index + '">' + id + '</li>').join('') + '</ul></div>';
    const screenFields = { changesAt: [], firstTitle: null, next: pathname === '/about' ? null : next };
    return { html, preloads: [], styles: [], answers: [{ call: path, status: 200, type: 'application/xml', text }], ...screenFields };
  }
`;

const categories: NewCategory[] = [
  { id: 'novels', name: { en: 'Novels', fr: 'Romans' } },
  { id: 'sea', name: '</noscript><b>Sea & "Sky"', parentId: 'novels' },
  { id: 'essays', name: 'Essays' },
];

/** So many categories that no page links all of them. */
const manyCategories: NewCategory[] = Array.from({ length: 30 }, (_, topIndex) => [
  { id: `top-${topIndex}`, name: `Top ${topIndex}` },
  ...Array.from({ length: 8 }, (__, index) => ({
    id: `below-${topIndex}-${index}`,
    name: `Below ${topIndex} ${index}`,
    parentId: `top-${topIndex}`,
  })),
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

/** @returns the noscript content of a page, its links, and the ids that the page renders */
async function readNoscript(path: string, host = 'plain.example') {
  const { html, lang } = await pages.fetchHead(host, path);
  const noscript = /<noscript>(.*?)<\/noscript>/s.exec(html)?.[1] ?? '';
  const links = [...noscript.matchAll(/<a ([^>]*)>([^<]*)<\/a>/g)].map(([, attributes = '', text = '']) => ({
    text: decodeEntities(text),
    href: decodeEntities(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    current: /aria-current="(\w+)"/.exec(attributes)?.[1],
    lang: / lang="(\w+)"/.exec(attributes)?.[1],
  }));
  const renderedIds = [...html.matchAll(/<li data-place="\d">([^<]*)</g)].map(([, id]) => id);
  const findLink = (text: string) => links.find((each) => each.text === text);
  return { html, lang, noscript, links, renderedIds, findLink, languages: links.filter((each) => each.lang !== undefined) };
}

describe('languages', () => {
  test('each language is linked by its own name, at the same URL with its known parameters', async () => {
    const { languages: languageLinks } = await readNoscript('/all?utm_source=letter&sort=price&search=sea+%26%22%3Cb%3E');
    expect(languageLinks.slice(0, 2).map(({ text }) => text)).toEqual(['English', '中文']);
    expect(languageLinks.map(({ lang }) => lang)).toEqual(languages);
    for (const { href, lang = '' } of languageLinks) {
      expect(href).toMatch(/^\?/);
      expect(Object.fromEntries(new URLSearchParams(href))).toEqual({ sort: 'price', search: 'sea &"<b>', lang, keep: '' });
    }
  });

  test('the current language is marked, and replaces the requested language in links', async () => {
    const frenchPage = await readNoscript('/all?lang=fr');
    expect(frenchPage.lang).toBe('fr');
    expect(frenchPage.languages.filter(({ current }) => current === 'true').map(({ lang }) => lang)).toEqual(['fr']);
    expect(frenchPage.languages.map(({ href }) => href)).toEqual(languages.map((code) => `?lang=${code}&keep`));
    expect(frenchPage.noscript).toContain('<nav aria-label="Langue">');
    expect((await readNoscript('/all')).languages.find(({ current }) => current)?.lang).toBe('en');
  });

  test('a chosen language is stored in a cookie for later pages', async () => {
    const readCookie = async (url: string) =>
      (await pages.shop.app.inject({ url, headers: { host: 'plain.example', accept: 'text/html' } })).headers['set-cookie'];
    expect(await readCookie('/all?lang=fr&keep')).toMatch(/^lang=fr; path=\/; max-age=\d+; samesite=lax$/);
    expect(await readCookie('/all?lang=fr')).toBeUndefined();
    expect(await readCookie('/all?lang=xx&keep')).toBeUndefined();
    expect(await readCookie('/all?lang=fr&lang=fr;domain=x&keep')).toBeUndefined();
  });

  test('links of languages do not lead to another host from a path that looks like one', async () => {
    const { languages: languageLinks } = await readNoscript('//elsewhere.example');
    expect(languageLinks.map(({ href }) => href)).toContain('?lang=fr&keep');
  });
});

describe('categories', () => {
  test('categories are nested links, with any text in their names escaped', async () => {
    const { html, noscript, findLink } = await readNoscript('/all');
    expect(noscript).toContain('<nav aria-label="Categories">');
    expect(noscript).toMatch(/Novels<\/a><ul><li><a [^>]*>[^<]*Sea/);
    expect(findLink('</noscript><b>Sea & "Sky"')?.href).toMatch(/^\/all\/.*\/sea$/);
    expect(html).not.toContain('<b>Sea');
    expect(html.match(/<\/noscript>/g)).toHaveLength(1);
  });

  test('categories are named and found in the requested language', async () => {
    const { findLink } = await readNoscript('/all/romans/novels?lang=fr');
    expect(findLink('Romans')).toMatchObject({ href: '/all/romans/novels?lang=fr', current: 'page' });
    expect(findLink('Essays')).toMatchObject({ href: '/all/essays/essays?lang=fr', current: undefined });
  });

  test('a large tree of categories links the categories at the top, and those around the current one', async () => {
    const topPage = await readNoscript('/all', 'large.example');
    expect(topPage.findLink('Top 29')?.href).toBe('/all/top-29/top-29');
    expect(topPage.links.filter(({ text }) => text.startsWith('Below'))).toEqual([]);
    const innerPage = await readNoscript('/all/below-3-0/below-3-0', 'large.example');
    expect(innerPage.links.filter(({ text }) => text.startsWith('Below'))).toHaveLength(8);
    expect(innerPage.findLink('Below 3 0')?.current).toBe('page');
  });
});

describe('more titles of a list', () => {
  test('more titles of a list are linked page by page to the last page, each title once', async () => {
    const ids: (string | undefined)[] = [];
    let path = '/all?sort=title&lang=fr';
    for (let page = 0; page < 20; page++) {
      const { renderedIds, findLink } = await readNoscript(path);
      ids.push(...renderedIds);
      const nextLink = findLink('Plus de titres');
      if (!nextLink) break;
      expect(new URLSearchParams(nextLink.href).get('lang')).toBe('fr');
      path = `/all${nextLink.href}`;
    }
    expect(ids).toHaveLength(5);
    expect(new Set(ids)).toEqual(new Set(['book', 'film', 'gratis', 'not-for-sale', 'sound']));
  });

  test('more titles are not linked at the end of a list, nor on other pages', async () => {
    expect((await readNoscript('/all', 'large.example')).noscript).not.toContain('rel="next"');
    expect((await readNoscript('/about')).noscript).not.toContain('rel="next"');
    expect((await readNoscript('/all')).noscript).toContain('rel="next"');
  });
});

describe('the form of a list', () => {
  const fetchRedirect = async (url: string) => {
    const { statusCode, headers } = await pages.shop.app.inject({ url, headers: { host: 'plain.example', accept: 'text/html' } });
    return [statusCode, headers.location];
  };

  test('the form of a list redirects to the list’s own URL', async () => {
    const fields = 'form=list&usualsort=newest&sort=newest&kind=ebook&kind=audio&set=free%3Dtrue%26pricefrom%3D%26priceto%3D';
    expect(await fetchRedirect(`/all?${fields}&search=sea+%26&pricefrom=3&priceto=`)).toEqual([
      303,
      '/all?search=sea%20%26&kind=audio%2Cebook&free=true',
    ]);
    expect(await fetchRedirect('/all/popular?form=list&sort=popular')).toEqual([303, '/all/popular']);
  });

  test('the form of a list redirects to no other host, and other URLs do not redirect', async () => {
    expect((await fetchRedirect('//elsewhere.example/all?form=list'))[1]).toBeUndefined();
    expect(await fetchRedirect('/all?kind=ebook&kind=audio')).toEqual([200, undefined]);
  });
});
