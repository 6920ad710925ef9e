import { createReadStream, existsSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, resolve } from 'node:path';

const built = resolve(import.meta.dirname, '../../../dist');
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves a file of the built pages, and index.html at every other path. */
export const serveBuiltPages = (path: string, response: ServerResponse): void => {
  const file = join(built, path);
  const isFile = file.startsWith(built) && existsSync(file) && statSync(file).isFile();
  const served = isFile ? file : join(built, 'index.html');
  response.setHeader('content-type', types[extname(served)] ?? 'application/octet-stream');
  createReadStream(served).pipe(response);
};
