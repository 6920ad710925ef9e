import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bin, run } from '../../tools/process/run.ts';
import { project } from './support/tree.ts';

const page = await readFile(join(project, 'docs/adding-a-flow.md'), 'utf8');

/** The files that the page shows, by their paths, and the lines that it adds to one that exists. */
const shown = [...page.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, kind = '', path = '', text = '']) => ({
  kind,
  path,
  text,
}));

/** The translations that the page gives, by language and English text. */
const translations = (): Record<string, Record<string, string>> => {
  const [names = [], , ...rows] = [...page.matchAll(/^\| (.*) \|$|^\|(-+\|)+$/gm)].map(([, cells = '']) => cells.split(' | '));
  return Object.fromEntries(
    names.map((language, at) => [language, Object.fromEntries(rows.map((row) => [row[0], row[at] ?? '']))]),
  );
};

/** A copy of the whole project in a temporary folder, with the real packages. */
const copyOfProject = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'colophon-flow-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: project });
  for (const path of output.split('\n').filter(Boolean)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    // A file that is being deleted is still listed.
    await copyFile(join(project, path), join(root, path)).catch(() => undefined);
  }
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  // What has been compiled need not be compiled again.
  await cp(join(project, '.cache/types'), join(root, '.cache/types'), { recursive: true }).catch(() => undefined);
  return root;
};

/** What the test runner says of itself to its programs is nothing for those of the copy. */
const outside = { NODE_ENV: '', VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '' };

const write = async (root: string, path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

/** Puts each added line of a diff below the line before it, or above the one after it. */
const applied = (text: string, diff: string): string => {
  const lines = text.split('\n');
  let at = 0;
  for (const line of diff.split('\n').filter(Boolean)) {
    const content = line.slice(1);
    if (line.startsWith('+')) lines.splice(at++, 0, content);
    else at = lines.indexOf(content) + 1;
  }
  return lines.join('\n');
};

const translate = async (root: string): Promise<string[]> => {
  const { code, output } = await run(bin(root, 'lingui'), ['extract', '--clean'], { cwd: root, env: outside });
  expect(code, output).toBe(0);
  const words = translations();
  const catalogues = globSync('src/flows/contact/words/*.po', { cwd: root });
  for (const path of catalogues) {
    const language = words[path.slice(-5, -3)] ?? {};
    const text = await readFile(join(root, path), 'utf8');
    const filled = text.replaceAll(
      /^msgid "(.+)"\nmsgstr ""$/gm,
      (_, id: string) => `msgid "${id}"\nmsgstr "${language[id] ?? ''}"`,
    );
    await writeFile(join(root, path), filled);
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

test('the page on adding a flow adds one, in at most ten files of which at most two were there, and the gate passes', async () => {
  const root = await copyOfProject();
  const existing = shown.filter(({ kind }) => kind === 'diff');
  for (const { path, kind, text } of shown) {
    await write(root, path, kind === 'diff' ? applied(await readFile(join(root, path), 'utf8'), text) : text);
  }
  const catalogues = await translate(root);
  expect(catalogues).toHaveLength(5);
  expect(existing.length).toBeLessThanOrEqual(2);
  expect(shown.length + catalogues.length).toBeLessThanOrEqual(10);

  const steps = stepsFor(shown.map(({ path }) => path));
  const checked = await run(process.execPath, ['--input-type=module', '-e', steps], { cwd: root, env: outside });
  expect(checked.code, checked.output).toBe(0);
  for (const which of [aboutEveryFlow, aboutEachMachine]) {
    const tested = await run(bin(root, 'vitest'), ['run', '--project', 'unit', ...which], { cwd: root, env: outside });
    expect(tested.code, tested.output).toBe(0);
    expect(tested.output).toMatch(/Tests {2}.*\d+ passed/);
  }
}, 290_000);
