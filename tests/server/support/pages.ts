import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '../../../server/base/config.ts';
import { template, writeBuild } from './built-pages.ts';
import { openShop, type Shop } from './shop.ts';

const TEMPLATE = template({
  html: '<html lang="en">',
  icon: '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />',
  title: '<title>Colophon</title>',
  program: '<script type="module" src="/program.js"></script>',
  root: '<div id="root"></div>',
  noscript: '<noscript></noscript>',
});

/** A page's head as a reader of it understands it. */
export type Head = {
  status: number;
  html: string;
  lang: string | undefined;
  title: string | undefined;
  meta: Record<string, string[]>;
  links: Record<string, string>;
  jsonLd: Record<string, unknown> | undefined;
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const read = (text = '') => text.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

function headOf(status: number, html: string): Head {
  const meta: Head['meta'] = {};
  for (const [, name = '', content] of html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)" \/>/g))
    (meta[name] ??= []).push(read(content));
  const links: Head['links'] = {};
  for (const [, rel = '', , lang, href] of html.matchAll(/<link rel="([^"]*)"( hreflang="([^"]*)")? href="([^"]*)"/g))
    links[lang ?? rel] = read(href);
  const json = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1];
  return {
    status,
    html,
    lang: /<html lang="([^"]*)"/.exec(html)?.[1],
    title: read(/<title>([^<]*)<\/title>/.exec(html)?.[1]),
    meta,
    links,
    jsonLd: json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>),
  };
}

/**
 * A shop that serves built pages, and its pages' heads.
 * @param painter the text of the program that paints; without one no page is painted
 */
export async function openPages(
  config: Partial<ServerConfig> = {},
  painter?: string,
): Promise<{
  shop: Shop;
  head(host: string, path: string): Promise<Head>;
  close(): Promise<void>;
}> {
  const dist = await mkdtemp(join(tmpdir(), 'colophon-pages-'));
  await writeBuild(dist, TEMPLATE);
  if (painter !== undefined) {
    await mkdir(join(dist, 'painting'));
    await writeFile(join(dist, 'painting', 'paint.js'), painter);
  }
  const shop = await openShop({ config: { distFolder: dist, ...config } });
  return {
    shop,
    async head(host, path) {
      const { statusCode, body } = await shop.app.inject({ url: path, headers: { host, accept: 'text/html' } });
      return headOf(statusCode, body);
    },
    async close() {
      await shop.close();
      await rm(dist, { recursive: true, force: true });
    },
  };
}
