import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, run } from '../../tools/process/run.ts';
import { copyProject, applyPage, neutralEnv, readExecutedPage } from './support/executed-page.ts';
import { projectRoot } from './support/tree.ts';

const languagePage = await readExecutedPage('adding-a-language.md');

const runInCopy = async (root: string, program: string, args: readonly string[]) =>
  run(program, args, { cwd: root, env: neutralEnv });

const runMessageCheck = (root: string) =>
  runInCopy(root, process.execPath, [
    '--input-type=module',
    '-e',
    `const { checkMessages } = await import('./tools/check/messages.ts');
    const { failed, summary } = await checkMessages(process.cwd());
    console.log(summary);
    process.exitCode = failed;`,
  ]);

/** Fills the German catalogues with the English texts and a mark; returns the catalogues' paths. */
const translateCatalogues = async (root: string): Promise<string[]> => {
  const catalogues = globSync('{src,server}/**/de.po', { cwd: root });
  for (const path of catalogues) {
    const text = await readFile(join(root, path), 'utf8');
    await writeFile(join(root, path), text.replaceAll(/^msgid "(.+)"\nmsgstr ""$/gm, 'msgid "$1"\nmsgstr "$1°"'));
  }
  return catalogues;
};

/** Paths of the project's files that differ in the copy. */
const listChangedFiles = async (root: string): Promise<string[]> => {
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot });
  const readIfExists = (folder: string, path: string) => readFile(join(folder, path)).catch(() => null);
  const changedPaths: string[] = [];
  for (const path of output.split('\n').filter(Boolean)) {
    const [original, copy] = await Promise.all([readIfExists(projectRoot, path), readIfExists(root, path)]);
    if (original !== null && (copy === null || !original.equals(copy))) changedPaths.push(path);
  }
  return changedPaths;
};

test('a language that is added by the docs page is complete, with changes to at most three files', async () => {
  const root = await copyProject();
  await applyPage(root, languagePage);

  const messagesResult = await runMessageCheck(root);
  expect(messagesResult.code).toBe(1);
  for (const text of ['src/locales/de.po: missing: Home', 'server/words/de.po: missing: Continue'])
    expect(messagesResult.output).toContain(`${text}\n`);
  const serverResult = await runInCopy(root, process.execPath, ['server/main.ts']);
  expect(serverResult.code).toBe(1);
  expect(serverResult.output).toContain('server/words/de.po is missing: run npm run messages to write it');

  const extractResult = await runInCopy(root, bin(root, 'lingui'), ['extract', '--clean']);
  expect(extractResult.code, extractResult.output).toBe(0);
  const catalogues = await translateCatalogues(root);
  expect(catalogues).toHaveLength(globSync('{src,server}/**/en.po', { cwd: root }).length);
  expect(await runMessageCheck(root)).toMatchObject({ code: 0 });
  // The types check the tables by language, in the machines, the app and the server.
  const typesResult = await runInCopy(root, bin(root, 'tsc'), ['--build', 'server', '--singleThreaded']);
  expect(typesResult.code, typesResult.output).toBe(0);

  const testArgs = ['run', '--project', 'server', 'tests/server/languages/every-language.test.ts', '-t', '^de '];
  const testResult = await runInCopy(root, bin(root, 'vitest'), testArgs);
  expect(testResult.code, testResult.output).toBe(0);
  expect(testResult.output).toMatch(/Tests .*\b3 passed/);
  expect(await listChangedFiles(root)).toEqual(languagePage.codeBlocks.map(({ path }) => path));
  expect(languagePage.codeBlocks.length).toBeLessThanOrEqual(3);
}, 290_000);
