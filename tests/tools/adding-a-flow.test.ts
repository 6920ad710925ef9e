import { readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';
import { bin, run } from '../../tools/process/run.ts';
import { copyProject, applyPage, neutralEnv, readExecutedPage } from './support/executed-page.ts';

const flowPage = await readExecutedPage('adding-a-flow.md');

/** The translations that the page gives, by language and English text. */
const translations = (): Record<string, Record<string, string>> => {
  const [names = [], , ...rows] = [...flowPage.page.matchAll(/^\| (.*) \|$|^\|(-+\|)+$/gm)].map(([, cells = '']) =>
    cells.split(' | '),
  );
  return Object.fromEntries(
    names.map((language, at) => [language, Object.fromEntries(rows.map((row) => [row[0], row[at] ?? '']))]),
  );
};

/** How the other catalogues of a language translate a text. */
const findTranslation = async (root: string, code: string, text: string): Promise<string | undefined> => {
  for (const path of globSync(`src/**/${code}.po`, { cwd: root })) {
    const catalogue = await readFile(join(root, path), 'utf8');
    const [, found = ''] = catalogue.split(`msgid "${text}"\nmsgstr "`, 2);
    if (found !== '' && !found.startsWith('"')) return found.slice(0, found.indexOf('"\n'));
  }
  return undefined;
};

const translate = async (root: string): Promise<string[]> => {
  const { code, output } = await run(bin(root, 'lingui'), ['extract', '--clean'], { cwd: root, env: neutralEnv });
  expect(code, output).toBe(0);
  const words = translations();
  const catalogues = globSync('src/flows/contact/words/*.po', { cwd: root });
  for (const path of catalogues) {
    const code = path.slice(-5, -3);
    let text = await readFile(join(root, path), 'utf8');
    for (const [entry, id = ''] of text.matchAll(/^msgid "(.+)"\nmsgstr ""$/gm)) {
      // The page has no column for a language that is added later.
      const said = words[code]?.[id] ?? (await findTranslation(root, code, id)) ?? `${id} (${code})`;
      text = text.replace(entry, () => `msgid "${id}"\nmsgstr "${said}"`);
    }
    await writeFile(join(root, path), text);
  }
  return catalogues;
};

/**
 * The check's steps in the copy, for the files that the flow adds and changes; of the unit tests
 * only those that cover every flow.
 */
const stepsFor = (changed: readonly string[]) => `
  const { createCheckSteps } = await import('./tools/check/steps.ts');
  for (const { name, run } of createCheckSteps(${JSON.stringify(changed)}).filter(({ name }) => name !== 'unit tests')) {
    const { failed, summary } = await run(process.cwd());
    if (failed > 0) { console.log(name + ': ' + summary); process.exitCode = 1; }
  }`;

const aboutEveryFlow = ['tests/flows/registry', 'tests/routes', 'tests/shell'];
/** Of these only the tests that name the flow: those of the other machines are unrelated. */
const aboutEachMachine = ['tests/paths', '-t', 'contact'];

test('the page on adding a flow adds one, in five files of which one exists, and the check passes', async () => {
  const root = await copyProject();
  await applyPage(root, flowPage);
  const catalogues = await translate(root);
  expect(catalogues).toHaveLength(languages.length);
  expect(flowPage.changed).toHaveLength(1);
  expect(flowPage.shown).toHaveLength(5);

  const steps = stepsFor(flowPage.shown.map(({ path }) => path));
  const checked = await run(process.execPath, ['--input-type=module', '-e', steps], { cwd: root, env: neutralEnv });
  expect(checked.code, checked.output).toBe(0);
  for (const which of [aboutEveryFlow, aboutEachMachine]) {
    const tested = await run(bin(root, 'vitest'), ['run', '--project', 'unit', ...which], { cwd: root, env: neutralEnv });
    expect(tested.code, tested.output).toBe(0);
    expect(tested.output).toMatch(/Tests {2}.*\d+ passed/);
  }
}, 290_000);
