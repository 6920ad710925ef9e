import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PageParts } from '../../../server/web/page-parts.ts';
import { readTemplate, REGIONS, withRegion } from '../../../machines/model/store/page-template.ts';
import { earlyScript, template, writeBuild } from '../support/built-pages.ts';

const whole = template({ html: '<html>', title: '<title>Shop</title>', program: '<script src="/a.js"></script>' });

describe('the template of pages', () => {
  test('keeps what was built in the regions that nothing else is put into, and loses its placeholders', () => {
    const { fill, built } = readTemplate(whole);
    expect(fill({ title: '<title>$& $1</title>' })).toBe(
      '<!doctype html><html><head><title>$& $1</title><script src="/a.js"></script></head><body></body></html>',
    );
    expect(fill({ program: '' })).toBe('<!doctype html><html><head><title>Shop</title></head><body></body></html>');
    expect(built.program).toBe('<script src="/a.js"></script>');
  });

  test('takes no text that is put into it for a placeholder', () => {
    expect(readTemplate(whole).fill({ title: '<!--root-->', root: 'screen' })).toContain('<!--root-->');
  });

  test.each(REGIONS)('without the placeholder %s is refused, by its name', (region) => {
    for (const mark of [`<!--${region}-->`, `<!--/${region}-->`]) {
      expect(() => readTemplate(whole.replace(mark, ''))).toThrow(`index.html: the placeholder ${mark} is missing.`);
      expect(() => readTemplate(whole + mark)).toThrow(`index.html: the placeholder ${mark} is there twice.`);
    }
  });

  test('with placeholders that are turned round or within each other is refused', () => {
    const turned = whole.replace('<!--root--><!--/root-->', '<!--/root--><!--root-->');
    expect(() => readTemplate(turned)).toThrow('the placeholder <!--/root--> is before <!--root-->');
    const within = withRegion(whole, 'root', '<!--title--><!--/title-->').replace(
      '<!--title--><title>Shop</title><!--/title-->',
      '',
    );
    expect(() => readTemplate(within)).toThrow('the placeholder <!--title--> is within another one');
  });

  test('is what the pages are built from', () => {
    expect(readTemplate(readFileSync('index.html', 'utf8')).built.program).toContain('src="/src/main.tsx"');
  });
});

describe('the build of the pages', () => {
  const built = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-parts-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeBuild(folder, whole);
    return folder;
  };
  const manifestOf = (folder: string) => join(folder, '.vite', 'manifest.json');

  test('names the chunks of a flow and of its words, in one language', async () => {
    const folder = await built();
    const manifest = {
      ...(JSON.parse(readFileSync(manifestOf(folder), 'utf8')) as object),
      'index.html': { file: 'assets/index.js' },
      'src/flows/title/index.ts': { file: 'assets/title.js', imports: ['index.html', '_texts.js'] },
      '_texts.js': { file: 'assets/texts.js', imports: ['src/flows/title/index.ts'] },
      ...Object.fromEntries(
        ['src/locales', 'src/flows/title/words', 'src/flows/landing/words', 'src/views/late/words'].flatMap((words) =>
          ['en', 'fr'].map((language) => [`${words}/${language}.po`, { file: `assets/${words}.${language}.js` }]),
        ),
      ),
    };
    await writeFile(manifestOf(folder), JSON.stringify(manifest));
    const hintsFor = (flow: string, language: string) =>
      [...(PageParts.open(folder)?.hintsFor(flow, language) ?? '').matchAll(/href="\/assets\/([^"]*)"/g)].map(([, file]) => file);
    expect(hintsFor('title', 'fr')).toEqual([
      'title.js',
      'texts.js',
      'src/locales.fr.js',
      'src/flows/title/words.fr.js',
      'src/views/late/words.fr.js',
    ]);
    expect(hintsFor('landing', 'en')).toEqual(['src/locales.en.js', 'src/flows/landing/words.en.js']);
    expect(hintsFor('invalid', 'en')).toEqual(['src/locales.en.js', 'src/views/late/words.en.js']);
  });

  test('brings each early script in a function, without the address of its source map', async () => {
    const parts = PageParts.open(await built());
    expect(parts?.early).toEqual({
      head: `(()=>{${earlyScript('head')};})()`,
      screenEnd: `(()=>{${earlyScript('screenEnd')};})()`,
    });
    expect(parts?.scriptHashes).toHaveLength(2);
  });

  test('without an early script is refused, by its name', async () => {
    const folder = await built();
    await writeFile(manifestOf(folder), '{}');
    expect(() => PageParts.open(folder)).toThrow('the build has no src/painting/early/head.ts. Build the pages again.');
  });

  test('may be missing', () => {
    expect([PageParts.open(undefined), PageParts.open(join(tmpdir(), 'no-such-build'))]).toEqual([undefined, undefined]);
  });
});
