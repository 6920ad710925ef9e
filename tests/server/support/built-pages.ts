import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EARLY_SCRIPTS, REGIONS, type Region } from '../../../machines/model/store/page-template.ts';

/** Builds a page template whose regions, between their comments, contain these texts. */
export const buildTemplate = (texts: Partial<Record<Region, string>>): string => {
  const [html, ...head] = REGIONS.map((region) => `<!--${region}-->${texts[region] ?? ''}<!--/${region}-->`);
  const body = head.splice(REGIONS.indexOf('root') - 1);
  return `<!doctype html>${html}<head>${head.join('')}</head><body>${body.join('')}</body></html>`;
};

/** Source of the early script with that name in a build that `writeBuild` writes. */
export const getEarlyScript = (name: string): string => `console.log("${name}")`;

/** Writes a build of pages, without chunks, into a folder. */
export async function writeBuild(folder: string, page: string): Promise<void> {
  const scripts = Object.entries(EARLY_SCRIPTS).map(([name, source]) => ({ name, source, file: `assets/${name}-DeAdBe3.js` }));
  await mkdir(join(folder, '.vite'), { recursive: true });
  await mkdir(join(folder, 'assets'), { recursive: true });
  const manifest = Object.fromEntries(scripts.map(({ source, file }) => [source, { file }]));
  await writeFile(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.html'), page);
  for (const { name, file } of scripts)
    await writeFile(join(folder, file), `${getEarlyScript(name)};\n//# sourceMappingURL=${name}.js.map`);
}
