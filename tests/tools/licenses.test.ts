import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { licenses } from '../../tools/build/licenses.ts';
import { plantFiles } from './support/tree.ts';

/** A page that bundles two packages, one with a copied font, the other with a vendored module. */
const page = {
  'index.html': '<script type="module" src="/main.js"></script>',
  'main.js': "import 'lettered'; import plain from 'plain'; import zip from 'plain/vendor/zip.js'; console.log(plain, zip);",
  'node_modules/lettered/package.json': '{"name":"lettered","type":"module","main":"index.js"}',
  'node_modules/lettered/index.js': "console.log(new URL('./fonts/serif.ttf', import.meta.url).href);",
  'node_modules/lettered/LICENSE': 'the licence of lettered',
  'node_modules/lettered/fonts/serif.ttf': 'a font',
  'node_modules/lettered/fonts/LICENSE_SERIF': 'the licence of the font',
  'node_modules/plain/package.json': '{"name":"plain","type":"module","main":"index.js"}',
  'node_modules/plain/index.js': 'export default process.env.PLAIN;',
  'node_modules/plain/vendor/zip.js': 'export default process.env.ZIP;',
};

const buildPage = async (licenceTexts: Record<string, string>): Promise<string> => {
  const root = await plantFiles({ ...page, ...licenceTexts });
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    plugins: [licenses(root)],
  });
  return join(root, 'dist/assets/licenses');
};

test('a build contains the licences of copied files, and of packages and modules without a text of their own', async () => {
  const folder = await buildPage({
    'tools/build/licenses/plain.txt': 'the licence of plain',
    'tools/build/licenses/zip.js.txt': 'the licence of zip.js',
  });
  const paths = await readdir(folder, { recursive: true });
  expect(paths.sort()).toEqual(['lettered', 'lettered/fonts', 'lettered/fonts/LICENSE_SERIF', 'plain.txt', 'zip.js.txt']);
  expect(await readFile(join(folder, 'lettered/fonts/LICENSE_SERIF'), 'utf8')).toBe('the licence of the font');
  expect(await readFile(join(folder, 'plain.txt'), 'utf8')).toBe('the licence of plain');
});

test.each([
  ['plain', { 'tools/build/licenses/zip.js.txt': 'text' }],
  ['zip.js', { 'tools/build/licenses/plain.txt': 'text' }],
])('a build without a licence text of %s fails, and names the expected file', async (name, licenceTexts) => {
  await expect(buildPage(licenceTexts)).rejects.toThrow(`tools/build/licenses/${name}.txt`);
});
