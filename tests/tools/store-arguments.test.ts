import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readCommandLine } from '../../tools/store/arguments.ts';
import { commands, commonOptions, dryRun } from '../../tools/store/commands.ts';

const root = resolve(import.meta.dirname, '../..');
const parseLine = (line: string) => readCommandLine(line.split(' '));
const noOptions = { json: false, shop: undefined, out: undefined, file: undefined, imports: undefined };

test('a command maps to its operation, with the operation’s option names', () => {
  expect(
    parseLine('codes make --grants credits:3 --uses unlimited --dry-run --store quay --json --out a.csv --shop http://x'),
  ).toEqual({
    ...noOptions,
    name: 'codes make',
    input: { grants: 'credits:3', uses: 'unlimited', dryRun: true, store: 'quay' },
    json: true,
    out: 'a.csv',
    shop: 'http://x',
  });
  expect(parseLine('plans add --id a --name b --price=-1EUR --period month --trial-days 0')).toEqual({
    ...noOptions,
    name: 'plans add',
    input: { id: 'a', name: 'b', price: '-1EUR', period: 'month', trialDays: 0 },
  });
});

test('the clock is shown without options, and moved with an option', () => {
  expect(parseLine('clock')).toEqual({ ...noOptions, name: 'clock show', input: {} });
  expect(parseLine('clock --forward 1d')).toEqual({ ...noOptions, name: 'clock move', input: { forward: '1d' } });
});

test('property values are parsed as JSON where possible, and several are set at once', () => {
  expect(parseLine('properties set --set A=true --set B=#fff --set C= --file more.json')).toEqual({
    ...noOptions,
    name: 'properties set',
    input: { properties: { A: true, B: '#fff', C: null } },
    file: 'more.json',
  });
});

test('an import has its folder and terms separate from the operation’s input', () => {
  expect(parseLine('import books --price 1EUR --category A --category B --categories-from-subjects --dry-run')).toEqual({
    ...noOptions,
    name: 'import',
    input: { dryRun: true },
    imports: { folder: 'books', price: '1EUR', prices: undefined, onix: undefined, categories: ['A', 'B'], bySubject: true },
  });
});

/** The commands in a docs page's code, up to the end of the code or a comment. */
const findCommands = (page: string): string[] =>
  [...page.matchAll(/npm run (?:-s )?store -- ([^`\n#]*)/g)].map(([, line = '']) => line.trim());

const docFiles = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).toSorted();
const pages = await Promise.all(docFiles.map(async (name) => [name, await readFile(resolve(root, name), 'utf8')] as const));
const commandLines = pages.flatMap(([name, page]) => findCommands(page).map((line) => [name, line] as const));

/**
 * `unknown command`, or the first unknown option in a docs line; undefined if all exist. The line
 * may be a noun alone, or lack required options.
 */
function findProblem(line: string): string | undefined {
  const words = line.replaceAll(/"[^"]*"/g, 'x').split(/\s+/);
  if (words[0] === '…' || words[0] === '--help') return undefined;
  const namedCommands = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  const nounCommands = commands.filter(({ name }) => name.split(' ')[0] === words[0]);
  const matchingCommands = namedCommands.length > 0 ? namedCommands : words.length === 1 ? nounCommands : [];
  if (matchingCommands.length === 0) return 'unknown command';
  const knownOptions = [dryRun, ...commonOptions, ...matchingCommands.flatMap(({ options = [] }) => options)].map(
    ({ long }) => long,
  );
  return words.find((word) => word.startsWith('--') && !knownOptions.includes(word.split('=')[0]));
}

test.each(commandLines)('%s names an existing command and existing options: %s', (_, line) => {
  expect(findProblem(line)).toBeUndefined();
});

test('an unknown command or option is reported', () => {
  expect(commandLines.length).toBeGreaterThan(15);
  expect(findProblem('codes burn --code A')).toBe('unknown command');
  expect(findProblem('code')).toBe('unknown command');
  expect(findProblem('codes list --grants A')).toBe('--grants');
});

test('docs/commands.md names every noun that has commands', () => {
  const row = pages
    .find(([name]) => name === 'docs/commands.md')?.[1]
    .split('\n')
    .find((line) => line.startsWith('| `npm run store`'));
  for (const noun of new Set(commands.map(({ name }) => name.split(' ')[0]))) expect(row).toContain(`\`${noun}\``);
});
