import { describe, expect, test } from 'vitest';
import { lint } from '../../tools/check/lint.ts';
import { plantTree, projectRoot } from './support/tree.ts';

const unawaitedFunction = 'async function go(): Promise<void> { await Promise.resolve() }\n';

/** [the fault, the file, its text, the rule that must report it] */
const violations: [string, string, string, string][] = [
  ['any', 'src/a.ts', 'export const a = (b: any): unknown => b\n', 'no-explicit-any'],
  ['a floating promise', 'src/a.ts', `${unawaitedFunction}export const a = (): void => { go() }\n`, 'no-floating-promises'],
  ['an unsafe value', 'src/a.ts', `export const a: string = JSON.parse('1').b\n`, 'no-unsafe'],
  ['a silenced type error', 'src/a.ts', '// @ts-ignore\nexport const a = 1\n', 'ban-ts-comment'],
  [
    'an effect in a view',
    'src/flows/a/a.tsx',
    `import { useEffect } from 'react'\nexport const a = useEffect\n`,
    'no-restricted-imports',
  ],
  [
    'state in a view',
    'src/views/a/a.tsx',
    `import { useState } from 'react'\nexport const a = useState\n`,
    'no-restricted-imports',
  ],
  [
    'a missing case',
    'server/a.ts',
    `export function a(b: 'x' | 'y'): number {\n  switch (b) { case 'x': return 1 }\n  return 2\n}\n`,
    'switch-exhaustiveness-check',
  ],
  ['the clock by `new Date()`', 'server/a.ts', 'export const a = (): Date => new Date()\n', 'server-clock'],
  ['the clock by `Date.now()`', 'server/a.ts', 'export const a = (): number => Date.now()\n', 'server-clock'],
  [
    'the clock under another name',
    'server/a.ts',
    'const Clock = Date\nexport const a = (): Date => new Clock()\n',
    'server-clock',
  ],
  [
    'the clock in an SQL statement',
    'server/a.ts',
    `import { sql } from 'kysely'\nexport const a = sql<Date>\`now() + interval '1 day'\`\n`,
    'server-clock',
  ],
  ['361 lines', 'machines/a.ts', 'export {}\n'.repeat(361), 'max-lines'],
  [
    'a bare variable as a message',
    'src/a.tsx',
    `import { Trans } from '@lingui/react/macro'\nexport const A = ({ b }: { b: string }) => <Trans>{b}</Trans>\n`,
    'no-single-variables-to-translate',
  ],
  [
    'a disable comment that disables nothing',
    'src/a.ts',
    '// oxlint-disable-next-line no-console -- planted\nexport const a = 1\n',
    'Unused',
  ],
];

/** Code forbidden in a machine: [its name, the file's text, the rule that must report it]. */
const impureLines: [string, string, string][] = [
  ['the clock by another name', `const Clock = Date;\nexport const a = (): Date => new Clock();\n`, 'world'],
  ['the language by another name', `const { NumberFormat } = Intl;\nexport const a = new NumberFormat();\n`, 'world'],
  ['a language that is not named', `export const a = new Intl.NumberFormat(undefined, {});\n`, 'world'],
  [
    'an object that destructuring writes to',
    `const box = { n: 0 };\nexport const a = (): void => { [box.n] = [box.n + 1]; };\n`,
    'state-outside-context',
  ],
  ['a variable of the file', 'let n = 0\nexport const next = (): number => (n += 1)\n', 'state-outside-context'],
  [
    'a collection of the file',
    'const seen = new Set<string>()\nexport const see = (id: string): void => void seen.add(id)\n',
    'state-outside-context',
  ],
  [
    'a list of the file',
    'const all: string[] = []\nexport const keep = (id: string): number => all.push(id)\n',
    'state-outside-context',
  ],
  [
    'a memo of the file',
    'const kept: Record<string, number> = {}\nexport const lengthOf = (id: string): number => (kept[id] ??= id.length)\n',
    'state-outside-context',
  ],
  [
    'a memo in an enclosing function',
    'export const lengthOf = (() => {\n  const kept = new Map<string, number>()\n' +
      '  return (id: string): number => kept.get(id) ?? kept.set(id, id.length).size\n})()\n',
    'state-outside-context',
  ],
  [
    'the clock destructured from globalThis',
    'const { Date: Clock } = globalThis\nexport const at = (): number => Clock.now()\n',
    'world',
  ],
  ['the clock by its name in brackets', "const now = Date['now']\nexport const at = (): number => now()\n", 'world'],
  ['the clock by destructuring', 'const { now } = Date\nexport const at = (): number => now()\n', 'world'],
  ['local time', 'export const hour = (at: string): number => new Date(at).getHours()\n', 'world'],
  ['a number in the format of the locale', 'export const say = (n: number): string => n.toLocaleString()\n', 'world'],
  ['the order of the locale', 'export const before = (a: string, b: string): number => a.localeCompare(b)\n', 'world'],
  [
    'a date in the local time zone',
    "export const say = (at: Date): string => new Intl.DateTimeFormat('en').format(at)\n",
    'world',
  ],
  ['the console', "export const say = (): void => console.log('went')\n", 'world'],
];

const pureLines = [
  'const kinds = new Set(["a"])',
  'export const has = (kind: string): boolean => kinds.has(kind)',
  'export const sorted = (list: readonly string[]): string[] => {',
  '  const copy = [...list]',
  '  copy.push("z")',
  '  return copy.sort()',
  '}',
  "export const named = (n: number): string => n.toLocaleString('de', { style: 'percent' })",
  'export const at = (text: string): number => Date.parse(text)\n',
].join('\n');

describe('lint of machines', () => {
  test('code that makes a machine impossible to replay is found', async () => {
    const files = Object.fromEntries(impureLines.map(([, text], index) => [`machines/app/a${index}.ts`, text]));
    const { summary } = await lint(await plantTree(files), ['machines'], projectRoot);
    // Each finding names its rule, and then the file.
    const findings = summary.split(/\n\s*(?=x )/);
    const missedLines = impureLines.filter(
      ([, , rule], index) => !findings.some((each) => each.includes(`pure-machines(${rule})`) && each.includes(`/a${index}.ts:`)),
    );
    expect(missedLines).toEqual([]);
  });

  test('values that a file only reads, and values that a function has created, are allowed', async () => {
    expect(await lint(await plantTree({ 'machines/app/a.ts': pureLines }), ['machines'], projectRoot)).toMatchObject({
      failed: 0,
    });
  });

  test('the app outside the machines, and machines/paths, may read the clock', async () => {
    const [, impureText = ''] = impureLines[0] ?? [];
    const files = { 'src/a.ts': impureText, 'machines/paths/a.ts': impureText };
    expect(await lint(await plantTree(files), ['src', 'machines'], projectRoot)).toMatchObject({ failed: 0 });
  });
});

/** [the state of a module around the machines, its file, the file's text, whether it is allowed] */
const moduleStateCases: [string, string, string, boolean][] = [
  [
    'a memory of ports',
    'src/flows/a/ports.ts',
    'const codes = new Map<string, string>()\nexport const keep = (id: string): unknown => codes.set(id, id)\n',
    false,
  ],
  [
    'a variable of ports',
    'src/flows/a/ports.ts',
    'let taken: string | null = null\nexport const take = (id: string): string => (taken = id)\n',
    false,
  ],
  [
    'listeners of a client',
    'src/client/a.ts',
    'const listeners = new Set<() => void>()\nexport const on = (l: () => void): unknown => listeners.add(l)\n',
    false,
  ],
  ['a shared environment', 'src/shell/a.ts', "import { createWorld } from './b.ts'\nexport const world = createWorld()\n", false],
  [
    'a promise that all callers share',
    'src/ssr/a.ts',
    'const never = new Promise<never>(() => {})\nexport const waits = (): Promise<never> => never\n',
    false,
  ],
  [
    'state that a function creates',
    'src/flows/a/ports.ts',
    'export const flow = () => {\n  const codes = new Map<string, string>()\n  return (id: string): unknown => codes.set(id, id)\n}\n',
    true,
  ],
  [
    'a list that is only read',
    'src/client/a.ts',
    "const kinds = new Set(['a'])\nexport const has = (kind: string): boolean => kinds.has(kind)\n",
    true,
  ],
];

describe('lint of modules around the machines', () => {
  test.each(moduleStateCases)('state of a module is judged: %s', async (_, path, text, isAllowed) => {
    const { failed, summary } = await lint(await plantTree({ [path]: text }), [path], projectRoot);
    expect([failed, summary.includes('state-of-module')]).toEqual(isAllowed ? [0, false] : [1, true]);
  });
});

describe('lint', () => {
  test('a valid file passes', async () => {
    const root = await plantTree({
      'src/a.ts': `export const a = 1\n${'// words\n'.repeat(299)}`,
      'src/b.gen.ts': '// words\n'.repeat(999),
    });
    expect(await lint(root, ['src'], projectRoot)).toMatchObject({ passed: 1, failed: 0 });
  });

  test.each(violations)('a violation is found by lint: %s', async (_, path, text, rule) => {
    const { failed, summary } = await lint(await plantTree({ [path]: text }), [path], projectRoot);
    expect(failed).toBe(1);
    expect(summary).toContain(rule);
  });
});
