import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'vite';
import { PERMISSIONS_POLICY } from '../../server/base/permissions-policy.ts';

/** What the server of an API needs to serve the pages from their sources beside it. */
export type DevPages = {
  /** For Fastify's option of the same name. */
  serverFactory: (api: RequestListener) => Server;
  close: () => Promise<void>;
};

/** What the store server answers by itself; the rest are pages and modules. */
const ofTheServer =
  /^\/(?:api|media|admin|opds|payments|webhooks)\/|^\/(?:opds|config\.json|healthz|robots\.txt|sitemap[\w-]*\.xml)(?:\?|$)/;

/** Vite in middleware mode, its hot reload on the same port as everything else. */
export async function devPages(root: string): Promise<DevPages> {
  let api: RequestListener = (_, response) => void response.writeHead(503).end();
  const http = createHttpServer((request, response) => {
    if (ofTheServer.test(request.url ?? '')) return api(request, response);
    response.setHeader('permissions-policy', PERMISSIONS_POLICY);
    return vite.middlewares(request, response);
  });
  const vite = await createServer({ root, server: { middlewareMode: { server: http }, hmr: { server: http } } });
  return {
    serverFactory: (handler) => {
      api = handler;
      return http;
    },
    close: () => vite.close(),
  };
}
