import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readCommandLine } from '../../tools/store/arguments.ts';
import { commands, commonOptions, dryRun } from '../../tools/store/commands.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (line: string) => readCommandLine(line.split(' '));
const none = { json: false, shop: undefined, out: undefined, file: undefined, imports: undefined };

test('a command is its operation, with its options by their names in operations', () => {
  expect(
    read('codes make --grants credits:3 --uses unlimited --dry-run --store quay --json --out a.csv --shop http://x'),
  ).toEqual({
    ...none,
    name: 'codes make',
    given: { grants: 'credits:3', uses: 'unlimited', dryRun: true, store: 'quay' },
    json: true,
    out: 'a.csv',
    shop: 'http://x',
  });
  expect(read('plans add --id a --name b --price=-1EUR --period month --trial-days 0')).toEqual({
    ...none,
    name: 'plans add',
    given: { id: 'a', name: 'b', price: '-1EUR', period: 'month', trialDays: 0 },
  });
});

test('the clock is shown without options, and moved by one', () => {
  expect(read('clock')).toEqual({ ...none, name: 'clock show', given: {} });
  expect(read('clock --forward 1d')).toEqual({ ...none, name: 'clock move', given: { forward: '1d' } });
});

test('properties are read as JSON where they are, and several are set at once', () => {
  expect(read('properties set --set A=true --set B=#fff --set C= --file more.json')).toEqual({
    ...none,
    name: 'properties set',
    given: { properties: { A: true, B: '#fff', C: null } },
    file: 'more.json',
  });
});

test('an import has its folder and terms apart from what the operation takes', () => {
  expect(read('import books --price 1EUR --category A --category B --categories-from-subjects --dry-run')).toEqual({
    ...none,
    name: 'import',
    given: { dryRun: true },
    imports: { folder: 'books', price: '1EUR', prices: undefined, onix: undefined, categories: ['A', 'B'], bySubject: true },
  });
});

/** The commands in code of a page of docs, up to the end of the code or a comment. */
const commandsIn = (page: string): string[] =>
  [...page.matchAll(/npm run (?:-s )?store -- ([^`\n#]*)/g)].map(([, line = '']) => line.trim());

const files = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).toSorted();
const pages = await Promise.all(files.map(async (name) => [name, await readFile(resolve(root, name), 'utf8')] as const));
const lines = pages.flatMap(([name, page]) => commandsIn(page).map((line) => [name, line] as const));

/** Complains about a line of the docs, which may be a thing alone, or lack needed options. */
function complaintAbout(line: string): string | undefined {
  const words = line.replaceAll(/"[^"]*"/g, 'x').split(/\s+/);
  if (words[0] === '…' || words[0] === '--help') return undefined;
  const named = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  const ofThing = commands.filter(({ name }) => name.split(' ')[0] === words[0]);
  const found = named.length > 0 ? named : words.length === 1 ? ofThing : [];
  if (found.length === 0) return 'unknown command';
  const known = [dryRun, ...commonOptions, ...found.flatMap(({ options = [] }) => options)].map(({ long }) => long);
  return words.find((word) => word.startsWith('--') && !known.includes(word.split('=')[0]));
}

test.each(lines)('%s names a command and options that there are: %s', (_, line) => {
  expect(complaintAbout(line)).toBeUndefined();
});

test('a command or an option that there is not is noticed', () => {
  expect(lines.length).toBeGreaterThan(15);
  expect(complaintAbout('codes burn --code A')).toBe('unknown command');
  expect(complaintAbout('code')).toBe('unknown command');
  expect(complaintAbout('codes list --grants A')).toBe('--grants');
});

test('the README names every thing that there are commands about', () => {
  const row = pages
    .find(([name]) => name === 'README.md')?.[1]
    .split('\n')
    .find((line) => line.startsWith('| `npm run store`'));
  for (const thing of new Set(commands.map(({ name }) => name.split(' ')[0]))) expect(row).toContain(`\`${thing}\``);
});
