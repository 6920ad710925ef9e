import { createReadStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { build, type Rolldown } from 'vite';
import { patchFoliate } from '../../../../tools/build/patch-foliate.ts';
import { mediaRoutes } from '../../../../server/publication/routes.ts';
import { getMediaType } from '../../../../server/publication/media-types.ts';
import { sealGrant, openToken } from '../../../../server/publication/media-token.ts';

/**
 * A server with nothing but media and a bare page that runs the engines; the page is built as the
 * shop is.
 */
export type HarnessServer = {
  url: string;
  /**
   * The signed URL of a file anywhere on disk, valid for `lifetime` seconds, by default an hour.
   * The URL of an HTML page opens its whole folder.
   */
  mediaUrl(file: string, lifetime?: number): string;
  /** The URL of a file anywhere on disk, sent unchanged. */
  fileUrl(file: string): string;
  /** The URL of the same page with a policy that allows `blob:` resources. */
  blobPolicyUrl: string;
  /** The URL of a page whose `<head>` arrives and whose body does not. */
  hangingUrl: string;
  close(): Promise<void>;
};

const root = resolve(import.meta.dirname, '../../../..');
const secret = Buffer.alloc(32, 5);
/** The strictest policy for the page around the engines that they all work under. */
const pagePolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "frame-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** The policy of a server that serves books as one file each. */
const blobPolicy = pagePolicy
  .replace("frame-src 'self'", "frame-src 'self' blob:")
  .replace("style-src 'self'", "style-src 'self' blob:")
  .replace("default-src 'self'", "default-src 'self'; font-src blob:; media-src blob:");

export async function startHarnessServer(): Promise<HarnessServer> {
  const files = await buildHarness();
  const app = fastify({ forceCloseConnections: true });
  await app.register(mediaRoutes, {
    verify: (token) => {
      const grant = openToken(token, secret);
      return grant && { folder: grant.titleId, path: grant.path };
    },
  });
  app.get('/unfinished', (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'application/xhtml+xml' });
    reply.raw.write('<html xmlns="http://www.w3.org/1999/xhtml"><head><title>To be continued</title>');
  });
  app.get<{ Params: { file: string } }>('/file/:file', (request, reply) =>
    reply.type('application/epub+zip').send(createReadStream(request.params.file)),
  );
  app.get('/*', (request, reply) => {
    const hasBlobPolicy = request.url === '/memory';
    const name = request.url === '/' || hasBlobPolicy ? 'harness.html' : request.url.slice(1);
    const content = files.get(name);
    if (content === undefined) return reply.code(404).send();
    const type = name.endsWith('.mjs') ? 'text/javascript' : (getMediaType(name) ?? 'application/octet-stream');
    return reply
      .type(type)
      .header('content-security-policy', hasBlobPolicy ? blobPolicy : pagePolicy)
      .send(Buffer.from(content));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const startSeconds = Date.now() / 1000;
  return {
    url,
    mediaUrl: (file, lifetime = 3600) => {
      const folder = dirname(file);
      const [titleId, subfolder] = file.endsWith('.html') ? [dirname(folder), `${basename(folder)}/`] : [folder, ''];
      const name = basename(file);
      const grant = { titleId, storeId: 'test', path: subfolder || name, reader: null, expires: startSeconds + lifetime };
      return `${url}/media/${sealGrant(grant, secret)}/${subfolder}${encodeURIComponent(name)}`;
    },
    fileUrl: (file) => `${url}/file/${encodeURIComponent(file)}`,
    blobPolicyUrl: `${url}/memory`,
    hangingUrl: `${url}/unfinished`,
    close: () => app.close(),
  };
}

async function buildHarness(): Promise<Map<string, string | Uint8Array>> {
  // Vite finds the page's folder by its root; the build stays in memory.
  const folder = resolve(import.meta.dirname);
  const buildResult = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [patchFoliate()],
    build: {
      write: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      minify: false,
      rollupOptions: { input: join(folder, 'harness.html') },
    },
  });
  const { output } = (Array.isArray(buildResult) ? buildResult[0] : buildResult) as Rolldown.RolldownOutput;
  return new Map(
    output.map((file) => [
      basename(file.fileName) === 'harness.html' ? 'harness.html' : file.fileName,
      file.type === 'chunk' ? file.code : file.source,
    ]),
  );
}
