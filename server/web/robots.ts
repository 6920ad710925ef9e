import type { FastifyInstance } from 'fastify';
import { prefixesOf, routes } from '../../machines/flows/routes.ts';
import { originOf, storeAsked } from '../stores/origin.ts';
import type { Services } from '../services.ts';

/** Where nobody gets without signing in, what carries secrets in its address, and steps of something. Other pages that nobody is to find say so themselves. */
const closed = [
  ...new Set(
    routes
      .filter(({ access, crawled, pattern }) => access === 'login' || crawled === false || pattern.includes('{secret}'))
      .flatMap(({ pattern }) => prefixesOf(pattern)),
  ),
];

/** What search engines may read, and where the list of it is. A host without a store is nothing to read. */
export function robots(app: FastifyInstance, services: Services): void {
  app.get('/robots.txt', async (request, reply) => {
    const store = await storeAsked(services, request);
    const lines = store
      ? [...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${originOf(store, request, services.config)}/sitemap.xml`]
      : ['Disallow: /'];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${['User-agent: *', ...lines].join('\n')}\n`);
  });
}
