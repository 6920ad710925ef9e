import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PageParts } from '../../../server/web/page-parts.ts';
import { readTemplate, REGIONS, replaceRegion } from '../../../machines/model/store/page-template.ts';
import { earlyScript, template, writeBuild } from '../support/built-pages.ts';

const fullTemplate = template({ html: '<html>', title: '<title>Shop</title>', program: '<script src="/a.js"></script>' });

describe('the page template', () => {
  test('keeps the built content of regions that are not replaced, and loses its placeholders', () => {
    const { fill, built } = readTemplate(fullTemplate);
    expect(fill({ title: '<title>$& $1</title>' })).toBe(
      '<!doctype html><html><head><title>$& $1</title><script src="/a.js"></script></head><body></body></html>',
    );
    expect(fill({ program: '' })).toBe('<!doctype html><html><head><title>Shop</title></head><body></body></html>');
    expect(built.program).toBe('<script src="/a.js"></script>');
  });

  test('does not treat inserted text as a placeholder', () => {
    expect(readTemplate(fullTemplate).fill({ title: '<!--root-->', root: 'screen' })).toContain('<!--root-->');
  });

  test.each(REGIONS)('without the placeholder %s is refused by its name', (region) => {
    for (const mark of [`<!--${region}-->`, `<!--/${region}-->`]) {
      expect(() => readTemplate(fullTemplate.replace(mark, ''))).toThrow(`index.html: the placeholder ${mark} is missing.`);
      expect(() => readTemplate(fullTemplate + mark)).toThrow(`index.html: the placeholder ${mark} occurs twice.`);
    }
  });

  test('with reversed or nested placeholders is refused', () => {
    const turned = fullTemplate.replace('<!--root--><!--/root-->', '<!--/root--><!--root-->');
    expect(() => readTemplate(turned)).toThrow('the placeholder <!--/root--> is before <!--root-->');
    const within = replaceRegion(fullTemplate, 'root', '<!--title--><!--/title-->').replace(
      '<!--title--><title>Shop</title><!--/title-->',
      '',
    );
    expect(() => readTemplate(within)).toThrow('the placeholder <!--title--> is inside another one');
  });

  test('is used in index.html', () => {
    expect(readTemplate(readFileSync('index.html', 'utf8')).built.program).toContain('src="/src/main.tsx"');
  });
});

describe('the build of the pages', () => {
  const built = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-parts-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeBuild(folder, fullTemplate);
    return folder;
  };
  const manifestOf = (folder: string) => join(folder, '.vite', 'manifest.json');

  test('has the chunks of a flow and of its translations, in one language', async () => {
    const folder = await built();
    const manifest = {
      ...(JSON.parse(readFileSync(manifestOf(folder), 'utf8')) as object),
      'index.html': { file: 'assets/index.js' },
      'src/flows/title/index.ts': { file: 'assets/title.js', imports: ['index.html', '_texts.js'] },
      '_texts.js': { file: 'assets/texts.js', imports: ['src/flows/title/index.ts'] },
      ...Object.fromEntries(
        ['src/locales', 'src/flows/title/words', 'src/flows/landing/words', 'src/views/lazy/words'].flatMap((words) =>
          ['en', 'fr'].map((language) => [`${words}/${language}.po`, { file: `assets/${words}.${language}.js` }]),
        ),
      ),
    };
    await writeFile(manifestOf(folder), JSON.stringify(manifest));
    const hintsFor = (flow: string, language: string) =>
      [...(PageParts.open(folder)?.renderPreloadHints(flow, language) ?? '').matchAll(/href="\/assets\/([^"]*)"/g)].map(
        ([, file]) => file,
      );
    expect(hintsFor('title', 'fr')).toEqual([
      'title.js',
      'texts.js',
      'src/locales.fr.js',
      'src/flows/title/words.fr.js',
      'src/views/lazy/words.fr.js',
    ]);
    expect(hintsFor('landing', 'en')).toEqual(['src/locales.en.js', 'src/flows/landing/words.en.js']);
    expect(hintsFor('invalid', 'en')).toEqual(['src/locales.en.js', 'src/views/lazy/words.en.js']);
  });

  test('wraps each early script in a function, without its source map', async () => {
    const parts = PageParts.open(await built());
    expect(parts?.early).toEqual({
      head: `(()=>{${earlyScript('head')};})()`,
      screenEnd: `(()=>{${earlyScript('screenEnd')};})()`,
    });
    expect(parts?.scriptHashes).toHaveLength(2);
  });

  test('without an early script is refused by its name', async () => {
    const folder = await built();
    await writeFile(manifestOf(folder), '{}');
    expect(() => PageParts.open(folder)).toThrow('the build has no src/ssr/early/head.ts. Build the pages again.');
  });

  test('may be missing', () => {
    expect([PageParts.open(undefined), PageParts.open(join(tmpdir(), 'no-such-build'))]).toEqual([undefined, undefined]);
  });
});
