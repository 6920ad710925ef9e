import { readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';
import { bin, run } from '../../tools/process/run.ts';
import { copyProject, applyPage, neutralEnv, readExecutedPage } from './support/executed-page.ts';

const flowPage = await readExecutedPage('adding-a-flow.md');

/** The translations that the page shows, by language and English text. */
const readTranslations = (): Record<string, Record<string, string>> => {
  const [names = [], , ...rows] = [...flowPage.page.matchAll(/^\| (.*) \|$|^\|(-+\|)+$/gm)].map(([, cells = '']) =>
    cells.split(' | '),
  );
  return Object.fromEntries(
    names.map((language, column) => [language, Object.fromEntries(rows.map((row) => [row[0], row[column] ?? '']))]),
  );
};

/** The translation of a text in another catalogue of the language; undefined without one. */
const findTranslation = async (root: string, code: string, text: string): Promise<string | undefined> => {
  for (const path of globSync(`src/**/${code}.po`, { cwd: root })) {
    const catalogue = await readFile(join(root, path), 'utf8');
    const [, remainingText = ''] = catalogue.split(`msgid "${text}"\nmsgstr "`, 2);
    if (remainingText !== '' && !remainingText.startsWith('"')) return remainingText.slice(0, remainingText.indexOf('"\n'));
  }
  return undefined;
};

const translateCatalogues = async (root: string): Promise<string[]> => {
  const { code, output } = await run(bin(root, 'lingui'), ['extract', '--clean'], { cwd: root, env: neutralEnv });
  expect(code, output).toBe(0);
  const translations = readTranslations();
  const catalogues = globSync('src/flows/contact/words/*.po', { cwd: root });
  for (const path of catalogues) {
    const code = path.slice(-5, -3);
    let text = await readFile(join(root, path), 'utf8');
    for (const [entry, id = ''] of text.matchAll(/^msgid "(.+)"\nmsgstr ""$/gm)) {
      // The page has no column for a language that is added later.
      const translation = translations[code]?.[id] ?? (await findTranslation(root, code, id)) ?? `${id} (${code})`;
      text = text.replace(entry, () => `msgid "${id}"\nmsgstr "${translation}"`);
    }
    await writeFile(join(root, path), text);
  }
  return catalogues;
};

/** A program that runs the steps of the check for changed files, except the unit tests. */
const createCheckProgram = (changedPaths: readonly string[]) => `
  const { createCheckSteps } = await import('./tools/check/steps.ts');
  for (const { name, run } of createCheckSteps(${JSON.stringify(changedPaths)}).filter(({ name }) => name !== 'unit tests')) {
    const { failed, summary } = await run(process.cwd());
    if (failed > 0) { console.log(name + ': ' + summary); process.exitCode = 1; }
  }`;

const everyFlowTests = ['tests/flows/registry', 'tests/routes', 'tests/shell'];
/** Only the tests that name the flow: those of the other machines are unrelated. */
const contactPathTests = ['tests/paths', '-t', 'contact'];

test('a flow that is added by the docs page passes the check', async () => {
  const root = await copyProject();
  await applyPage(root, flowPage);
  const catalogues = await translateCatalogues(root);
  expect(catalogues).toHaveLength(languages.length);
  expect(flowPage.diffs).toHaveLength(1);
  expect(flowPage.codeBlocks).toHaveLength(5);

  const checkProgram = createCheckProgram(flowPage.codeBlocks.map(({ path }) => path));
  const checkResult = await run(process.execPath, ['--input-type=module', '-e', checkProgram], { cwd: root, env: neutralEnv });
  expect(checkResult.code, checkResult.output).toBe(0);
  for (const testArgs of [everyFlowTests, contactPathTests]) {
    const testResult = await run(bin(root, 'vitest'), ['run', '--project', 'unit', ...testArgs], { cwd: root, env: neutralEnv });
    expect(testResult.code, testResult.output).toBe(0);
    expect(testResult.output).toMatch(/Tests {2}.*\d+ passed/);
  }
}, 290_000);
