import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PageParts } from '../../../server/web/page-parts.ts';
import { readTemplate, REGIONS, replaceRegion } from '../../../machines/model/store/page-template.ts';
import { getEarlyScript, buildTemplate, writeBuild } from '../support/built-pages.ts';

const fullTemplate = buildTemplate({ html: '<html>', title: '<title>Shop</title>', program: '<script src="/a.js"></script>' });

describe('the page template', () => {
  test('the page template keeps the built content of regions that are not replaced, and loses its placeholders', () => {
    const { fill, built } = readTemplate(fullTemplate);
    expect(fill({ title: '<title>$& $1</title>' })).toBe(
      '<!doctype html><html><head><title>$& $1</title><script src="/a.js"></script></head><body></body></html>',
    );
    expect(fill({ program: '' })).toBe('<!doctype html><html><head><title>Shop</title></head><body></body></html>');
    expect(built.program).toBe('<script src="/a.js"></script>');
  });

  test('the page template does not treat inserted text as a placeholder', () => {
    expect(readTemplate(fullTemplate).fill({ title: '<!--root-->', root: 'screen' })).toContain('<!--root-->');
  });

  test.each(REGIONS)('a page template without the placeholder %s is refused with the placeholder’s name', (region) => {
    for (const mark of [`<!--${region}-->`, `<!--/${region}-->`]) {
      expect(() => readTemplate(fullTemplate.replace(mark, ''))).toThrow(`index.html: the placeholder ${mark} is missing.`);
      expect(() => readTemplate(fullTemplate + mark)).toThrow(`index.html: the placeholder ${mark} occurs twice.`);
    }
  });

  test('a page template with reversed or nested placeholders is refused', () => {
    const reversedTemplate = fullTemplate.replace('<!--root--><!--/root-->', '<!--/root--><!--root-->');
    expect(() => readTemplate(reversedTemplate)).toThrow('the placeholder <!--/root--> is before <!--root-->');
    const nestedTemplate = replaceRegion(fullTemplate, 'root', '<!--title--><!--/title-->').replace(
      '<!--title--><title>Shop</title><!--/title-->',
      '',
    );
    expect(() => readTemplate(nestedTemplate)).toThrow('the placeholder <!--title--> is inside another one');
  });

  test('index.html is a page template', () => {
    expect(readTemplate(readFileSync('index.html', 'utf8')).built.program).toContain('src="/src/main.tsx"');
  });
});

describe('the build of the pages', () => {
  const createBuild = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-parts-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeBuild(folder, fullTemplate);
    return folder;
  };
  const getManifestPath = (folder: string) => join(folder, '.vite', 'manifest.json');

  test('the build of the pages has the chunks of a flow and of its translations, in one language', async () => {
    const folder = await createBuild();
    const manifest = {
      ...(JSON.parse(readFileSync(getManifestPath(folder), 'utf8')) as object),
      'index.html': { file: 'assets/index.js' },
      'src/flows/title/index.ts': { file: 'assets/title.js', imports: ['index.html', '_texts.js'] },
      '_texts.js': { file: 'assets/texts.js', imports: ['src/flows/title/index.ts'] },
      ...Object.fromEntries(
        ['src/locales', 'src/flows/title/words', 'src/flows/landing/words', 'src/views/lazy/words'].flatMap((wordsFolder) =>
          ['en', 'fr'].map((language) => [`${wordsFolder}/${language}.po`, { file: `assets/${wordsFolder}.${language}.js` }]),
        ),
      ),
    };
    await writeFile(getManifestPath(folder), JSON.stringify(manifest));
    const listHints = (flow: string, language: string) =>
      [...(PageParts.open(folder)?.renderPreloadHints(flow, language) ?? '').matchAll(/href="\/assets\/([^"]*)"/g)].map(
        ([, file]) => file,
      );
    expect(listHints('title', 'fr')).toEqual([
      'title.js',
      'texts.js',
      'src/locales.fr.js',
      'src/flows/title/words.fr.js',
      'src/views/lazy/words.fr.js',
    ]);
    expect(listHints('landing', 'en')).toEqual(['src/locales.en.js', 'src/flows/landing/words.en.js']);
    expect(listHints('invalid', 'en')).toEqual(['src/locales.en.js', 'src/views/lazy/words.en.js']);
  });

  test('the server wraps each early script of the build in a function, and drops the script’s source map comment', async () => {
    const parts = PageParts.open(await createBuild());
    expect(parts?.early).toEqual({
      head: `(()=>{${getEarlyScript('head')};})()`,
      screenEnd: `(()=>{${getEarlyScript('screenEnd')};})()`,
    });
    expect(parts?.scriptHashes).toHaveLength(2);
  });

  test('a build without an early script is refused with the script’s name', async () => {
    const folder = await createBuild();
    await writeFile(getManifestPath(folder), '{}');
    expect(() => PageParts.open(folder)).toThrow('the build has no src/ssr/early/head.ts. Build the pages again.');
  });

  test('the build of the pages may be missing', () => {
    expect([PageParts.open(undefined), PageParts.open(join(tmpdir(), 'no-such-build'))]).toEqual([undefined, undefined]);
  });
});
