import type { FastifyInstance } from 'fastify';
import { expandPrefixes, routes } from '../../machines/flows/routes.ts';
import { getStoreOrigin, findRequestedStore } from '../stores/origin.ts';
import type { Services } from '../services.ts';

/**
 * Pages that require a sign-in, addresses with secrets, and steps of processes. Other pages that
 * must not be indexed declare it themselves.
 */
const disallowedPaths = [
  ...new Set(
    routes
      .filter(({ access, crawled, pattern }) => access === 'login' || crawled === false || pattern.includes('{secret}'))
      .flatMap(({ pattern }) => expandPrefixes(pattern)),
  ),
];

/**
 * The paths that search engines may read, and the sitemap's address. A host without a store allows
 * none.
 */
export function registerRobots(app: FastifyInstance, services: Services): void {
  app.get('/robots.txt', async (request, reply) => {
    const store = await findRequestedStore(services, request);
    const lines = store
      ? [
          ...disallowedPaths.map((path) => `Disallow: ${path}`),
          '',
          `Sitemap: ${getStoreOrigin(store, request, services.config)}/sitemap.xml`,
        ]
      : ['Disallow: /'];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${['User-agent: *', ...lines].join('\n')}\n`);
  });
}
