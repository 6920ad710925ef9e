import { readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';
import { bin, run } from '../../tools/process/run.ts';
import { copyOfProject, follow, outside, readPage } from './support/executed-page.ts';

const flow = await readPage('adding-a-flow.md');

/** The translations that the page gives, by language and English text. */
const translations = (): Record<string, Record<string, string>> => {
  const [names = [], , ...rows] = [...flow.page.matchAll(/^\| (.*) \|$|^\|(-+\|)+$/gm)].map(([, cells = '']) =>
    cells.split(' | '),
  );
  return Object.fromEntries(
    names.map((language, at) => [language, Object.fromEntries(rows.map((row) => [row[0], row[at] ?? '']))]),
  );
};

/** How the other catalogues of a language translate a text. */
const translatedElsewhere = async (root: string, code: string, text: string): Promise<string | undefined> => {
  for (const path of globSync(`src/**/${code}.po`, { cwd: root })) {
    const catalogue = await readFile(join(root, path), 'utf8');
    const [, found = ''] = catalogue.split(`msgid "${text}"\nmsgstr "`, 2);
    if (found !== '' && !found.startsWith('"')) return found.slice(0, found.indexOf('"\n'));
  }
  return undefined;
};

const translate = async (root: string): Promise<string[]> => {
  const { code, output } = await run(bin(root, 'lingui'), ['extract', '--clean'], { cwd: root, env: outside });
  expect(code, output).toBe(0);
  const words = translations();
  const catalogues = globSync('src/flows/contact/words/*.po', { cwd: root });
  for (const path of catalogues) {
    const code = path.slice(-5, -3);
    let text = await readFile(join(root, path), 'utf8');
    for (const [entry, id = ''] of text.matchAll(/^msgid "(.+)"\nmsgstr ""$/gm)) {
      // The page has no column for a language that is added later.
      const said = words[code]?.[id] ?? (await translatedElsewhere(root, code, id)) ?? `${id} (${code})`;
      text = text.replace(entry, () => `msgid "${id}"\nmsgstr "${said}"`);
    }
    await writeFile(join(root, path), text);
  }
  return catalogues;
};

/** The gate's steps in the copy, for the files that the flow adds and changes, but for the unit tests, of which those run that speak of every flow. */
const stepsFor = (changed: readonly string[]) => `
  const { gate } = await import('./tools/check/steps.ts');
  for (const { name, run } of gate(${JSON.stringify(changed)}).filter(({ name }) => name !== 'unit tests')) {
    const { failed, says } = await run(process.cwd());
    if (failed > 0) { console.log(name + ': ' + says); process.exitCode = 1; }
  }`;

const aboutEveryFlow = ['tests/flows/registry', 'tests/routes', 'tests/shell'];
/** Of these only the tests that name the flow: those of the other machines have nothing to do with it. */
const aboutEachMachine = ['tests/paths', '-t', 'contact'];

test('the page on adding a flow adds one, in five files of which one exists, and the gate passes', async () => {
  const root = await copyOfProject();
  await follow(root, flow);
  const catalogues = await translate(root);
  expect(catalogues).toHaveLength(languages.length);
  expect(flow.changed).toHaveLength(1);
  expect(flow.shown).toHaveLength(5);

  const steps = stepsFor(flow.shown.map(({ path }) => path));
  const checked = await run(process.execPath, ['--input-type=module', '-e', steps], { cwd: root, env: outside });
  expect(checked.code, checked.output).toBe(0);
  for (const which of [aboutEveryFlow, aboutEachMachine]) {
    const tested = await run(bin(root, 'vitest'), ['run', '--project', 'unit', ...which], { cwd: root, env: outside });
    expect(tested.code, tested.output).toBe(0);
    expect(tested.output).toMatch(/Tests {2}.*\d+ passed/);
  }
}, 290_000);
