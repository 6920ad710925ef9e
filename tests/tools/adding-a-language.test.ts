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

const checkMessagesIn = (root: string) =>
  runInCopy(root, process.execPath, [
    '--input-type=module',
    '-e',
    `const { checkMessages } = await import('./tools/check/messages.ts');
    const { failed, summary } = await checkMessages(process.cwd());
    console.log(summary);
    process.exitCode = failed;`,
  ]);

/** Translates each empty text of the German catalogues to its English one with a mark. */
const translate = async (root: string): Promise<string[]> => {
  const catalogues = globSync('{src,server}/**/de.po', { cwd: root });
  for (const path of catalogues) {
    const text = await readFile(join(root, path), 'utf8');
    await writeFile(join(root, path), text.replaceAll(/^msgid "(.+)"\nmsgstr ""$/gm, 'msgid "$1"\nmsgstr "$1°"'));
  }
  return catalogues;
};

/** The files of the project that differ in the copy. */
const changedFiles = async (root: string): Promise<string[]> => {
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot });
  const read = (folder: string, path: string) => readFile(join(folder, path)).catch(() => null);
  const changed: string[] = [];
  for (const path of output.split('\n').filter(Boolean)) {
    const [before, after] = await Promise.all([read(projectRoot, path), read(root, path)]);
    if (before !== null && (after === null || !before.equals(after))) changed.push(path);
  }
  return changed;
};

test('the page on adding a language adds one in at most three existing files, and the shop speaks it', async () => {
  const root = await copyProject();
  await applyPage(root, languagePage);

  const missing = await checkMessagesIn(root);
  expect(missing.code).toBe(1);
  for (const text of ['src/locales/de.po: missing: Home', 'server/words/de.po: missing: Continue'])
    expect(missing.output).toContain(`${text}\n`);
  const server = await runInCopy(root, process.execPath, ['server/main.ts']);
  expect(server.code).toBe(1);
  expect(server.output).toContain('server/words/de.po is missing: run npm run messages to write it');

  const extracted = await runInCopy(root, bin(root, 'lingui'), ['extract', '--clean']);
  expect(extracted.code, extracted.output).toBe(0);
  const catalogues = await translate(root);
  expect(catalogues).toHaveLength(globSync('{src,server}/**/en.po', { cwd: root }).length);
  expect(await checkMessagesIn(root)).toMatchObject({ code: 0 });
  // Machines, pages and server: tables by language are checked by their types.
  const types = await runInCopy(root, bin(root, 'tsc'), ['--build', 'server', '--singleThreaded']);
  expect(types.code, types.output).toBe(0);

  const spoken = ['run', '--project', 'server', 'tests/server/languages/every-language.test.ts', '-t', '^de '];
  const tested = await runInCopy(root, bin(root, 'vitest'), spoken);
  expect(tested.code, tested.output).toBe(0);
  expect(tested.output).toMatch(/Tests .*\b3 passed/);
  expect(await changedFiles(root)).toEqual(languagePage.shown.map(({ path }) => path));
  expect(languagePage.shown.length).toBeLessThanOrEqual(3);
}, 290_000);
