import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'vite';
import { PERMISSIONS_POLICY } from '../../server/base/permissions-policy.ts';

/** Serves the pages from their sources on the same port as the API. */
export type DevPages = {
  /** For Fastify's option of the same name. */
  serverFactory: (api: RequestListener) => Server;
  close: () => Promise<void>;
};

/** Paths that the store server handles; all others are pages and modules. */
const serverPaths =
  /^\/(?:api|media|admin|opds|payments|webhooks)\/|^\/(?:opds|config\.json|healthz|readyz|robots\.txt|sitemap[\w-]*\.xml)(?:\?|$)/;

/** Starts Vite in middleware mode, with hot reload on the same port. */
export async function createDevPages(root: string): Promise<DevPages> {
  let api: RequestListener = (_, response) => void response.writeHead(503).end();
  const http = createHttpServer((request, response) => {
    if (serverPaths.test(request.url ?? '')) return api(request, response);
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
