import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const compressible = /\.(?:js|mjs|css|html|svg|json|wasm)$/;
const MIN_BYTES = 1024;

async function compressFile(path: string): Promise<void> {
  const body = await readFile(path);
  if (body.length < MIN_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [br, gzipped] = await Promise.all([brotli(body, { params }), gzipAsync(body, { level: 6 })]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gzipped)]);
}

/**
 * Writes `.br` and `.gz` next to each built text or WebAssembly file of 1 KiB or more, so that the
 * server never compresses during a request.
 */
export function precompress(): Plugin {
  return {
    name: 'colophon:precompress',
    apply: 'build',
    async writeBundle(options, bundle) {
      const folder = options.dir;
      if (folder === undefined) return;
      const names = Object.keys(bundle).filter((name) => compressible.test(name));
      await Promise.all(names.map((name) => compressFile(join(folder, name))));
    },
  };
}
