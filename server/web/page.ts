import type { FastifyRequest } from 'fastify';
import { propertiesOf } from '../api/properties.ts';
import { findStoreByHost } from '../api/stores.ts';
import type { Database } from '../database/open.ts';
import { escapeXml, xmlDocument } from '../xml/write.ts';
import { configOf } from './config-json.ts';

const ICON = /<link rel="icon"[^>]*>/;

/** JSON that cannot end the element it stands in. */
const inElement = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * The built page with what its first two calls would ask for, the configuration and the store's properties as the API
 * answers them, so that the shop opens without a round trip. Without a store it is the page as built.
 */
export async function pageFor(template: string, db: Database, request: FastifyRequest): Promise<string> {
  const store = await findStoreByHost(db, request.hostname);
  if (!store) return template;
  const { document, record } = await propertiesOf(db, store);
  const data = inElement({ config: configOf(store, request), properties: xmlDocument(document) });
  const icon = typeof record['FavIcon'] === 'string' ? record['FavIcon'] : '';
  const page = icon === '' ? template : template.replace(ICON, () => `<link rel="icon" href="${escapeXml(icon)}" />`);
  return page.replace('</head>', () => `<script type="application/json" id="store">${data}</script></head>`);
}
