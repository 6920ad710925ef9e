import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '../../../server/base/config.ts';
import { buildTemplate, writeBuild } from './built-pages.ts';
import { openShop, type Shop } from './shop.ts';

const TEMPLATE = buildTemplate({
  html: '<html lang="en">',
  icon: '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />',
  title: '<title>Colophon</title>',
  program: '<script type="module" src="/program.js"></script>',
  root: '<div id="root"></div>',
  noscript: '<noscript></noscript>',
});

/** A response with a page, and the parsed contents of the page's `<head>`. */
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
const decodeEntities = (text = '') => text.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

function parseHead(status: number, html: string): Head {
  const meta: Head['meta'] = {};
  for (const [, name = '', content] of html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)" \/>/g))
    (meta[name] ??= []).push(decodeEntities(content));
  const links: Head['links'] = {};
  for (const [, rel = '', , lang, href] of html.matchAll(/<link rel="([^"]*)"( hreflang="([^"]*)")? href="([^"]*)"/g))
    links[lang ?? rel] = decodeEntities(href);
  const json = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1];
  return {
    status,
    html,
    lang: /<html lang="([^"]*)"/.exec(html)?.[1],
    title: decodeEntities(/<title>([^<]*)<\/title>/.exec(html)?.[1]),
    meta,
    links,
    jsonLd: json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>),
  };
}

/**
 * Opens a shop that serves built pages. `fetchHead` fetches a page, and parses its `<head>`.
 * @param pageRenderer source of the server renderer; without it, pages are not server-rendered
 */
export async function openPages(
  config: Partial<ServerConfig> = {},
  pageRenderer?: string,
): Promise<{
  shop: Shop;
  fetchHead(host: string, path: string): Promise<Head>;
  close(): Promise<void>;
}> {
  const dist = await mkdtemp(join(tmpdir(), 'colophon-pages-'));
  await writeBuild(dist, TEMPLATE);
  if (pageRenderer !== undefined) {
    await mkdir(join(dist, 'ssr'));
    await writeFile(join(dist, 'ssr', 'render.js'), pageRenderer);
  }
  const shop = await openShop({ config: { distFolder: dist, ...config } });
  return {
    shop,
    async fetchHead(host, path) {
      const { statusCode, body } = await shop.app.inject({ url: path, headers: { host, accept: 'text/html' } });
      return parseHead(statusCode, body);
    },
    async close() {
      await shop.close();
      await rm(dist, { recursive: true, force: true });
    },
  };
}
