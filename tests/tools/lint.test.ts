import { describe, expect, test } from 'vitest';
import { lint } from '../../tools/check/lint.ts';
import { plant, project } from './support/tree.ts';

const promised = 'async function go(): Promise<void> { await Promise.resolve() }\n';

/** [what is wrong, the file, its text, the rule that has to speak] */
const faults: [string, string, string, string][] = [
  ['any', 'src/a.ts', 'export const a = (b: any): unknown => b\n', 'no-explicit-any'],
  ['a floating promise', 'src/a.ts', `${promised}export const a = (): void => { go() }\n`, 'no-floating-promises'],
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
  ['301 lines', 'machines/a.ts', 'export {}\n'.repeat(301), 'max-lines'],
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

describe('lint', () => {
  test('a sound file passes', async () => {
    const root = await plant({
      'src/a.ts': `export const a = 1\n${'// words\n'.repeat(299)}`,
      'src/b.gen.ts': '// words\n'.repeat(999),
    });
    expect(await lint(root, ['src'], project)).toMatchObject({ passed: 1, failed: 0 });
  });

  test.each(faults)('%s', async (_, path, text, rule) => {
    const { failed, says } = await lint(await plant({ [path]: text }), [path], project);
    expect(failed).toBe(1);
    expect(says).toContain(rule);
  });
});
