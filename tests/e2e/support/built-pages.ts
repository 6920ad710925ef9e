import { createReadStream, existsSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, resolve } from 'node:path';

const builtFolder = resolve(import.meta.dirname, '../../../dist');
const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves a file of the built pages, and index.html at every other path. */
export const serveBuiltPages = (path: string, response: ServerResponse): void => {
  const file = join(builtFolder, path);
  const isFile = file.startsWith(builtFolder) && existsSync(file) && statSync(file).isFile();
  const servedFile = isFile ? file : join(builtFolder, 'index.html');
  response.setHeader('content-type', contentTypes[extname(servedFile)] ?? 'application/octet-stream');
  createReadStream(servedFile).pipe(response);
};
