import { describe, expect, test } from 'vitest';
import { checkFloors } from '../../tools/check/cruise.ts';
import { plant } from './support/tree.ts';

const folders = ['machines', 'src', 'server', 'tests'];

const sound: Record<string, string> = {
  'machines/model/title.ts': `import { string } from 'valibot'\nexport const title = string()\n`,
  'machines/model/other.ts': `export const other = 1\n`,
  'machines/model/paths.ts': `export const path = '/'\n`,
  'machines/redeem.ts': `import { setup } from 'xstate'\nimport { title } from './model/title.ts'\nexport const redeem = [setup, title]\n`,
  'machines/paths/tour.ts': `import { getShortestPaths } from 'xstate/graph'\nimport { redeem } from '../redeem.ts'\nexport const tour = [getShortestPaths, redeem]\n`,
  'src/client/wire/schema.gen.ts': `export type Wire = string\n`,
  'src/client/redeem.ts': `import { title } from '../../machines/model/title.ts'\nexport const call = title\n`,
  'src/ui/button.ts': `export const button = 1\n`,
  'src/flows/redeem/ports.ts': `import { call } from '../../client/redeem.ts'\nexport const port = call\n`,
  'src/views/card.ts': `export const card = 1\n`,
  'src/views/late/words.ts': `export const late = 1\n`,
  'src/views/words.ts': `import { late } from './late/words.ts'\nexport const words = late\n`,
  'src/flows/redeem/Redeem.tsx': `import { button } from '../../ui/button.ts'\nimport { card } from '../../views/card.ts'\nexport const view = [button, card]\n`,
  'src/flows/library/Library.tsx': `export const library = 1\n`,
  'machines/flows/library.ts': `import { other } from '../model/other.ts'\nexport const library = other\n`,
  'machines/flows/registry.ts': `import { library } from './library.ts'\nexport const flows = [library]\n`,
  'src/shell/App.tsx': `import { flows } from '../../machines/flows/registry.ts'\nexport const app = flows\n`,
  'src/main.tsx': `import { app } from './shell/App.tsx'\nimport { port } from './flows/redeem/ports.ts'\nexport const all = [app, port]\n`,
  'server/main.ts': `import { createServer } from 'node:http'\nimport type { Wire } from '../src/client/wire/schema.gen.ts'\nimport { flows } from '../machines/flows/registry.ts'\nimport { path } from '../machines/model/paths.ts'\nexport const server: [Wire, unknown] = ['', [createServer, flows, path]]\n`,
  'server/kernel/errors.ts': `export const kinds = 1\n`,
  'server/entitlements/right.ts': `import { kinds } from '../kernel/errors.ts'\nexport type Right = typeof kinds\n`,
  'tests/server/main.test.ts': `import { server } from '../../server/main.ts'\nvoid server\n`,
};

const imports = (path: string): string => `import '${path}'\n`;

/** [what is broken, the file with the fault, its text, what the check has to say] */
const faults: [string, string, string, string][] = [
  ['the model uses XState', 'machines/model/other.ts', imports('xstate'), 'machines/model may not use xstate'],
  ['the model looks up', 'machines/model/other.ts', imports('../redeem.ts'), 'machines/model looks only down'],
  ['a machine uses valibot', 'machines/buy.ts', imports('valibot'), 'machines may not use valibot'],
  ['a machine uses the graph tools', 'machines/buy.ts', imports('xstate/graph'), 'machines may not use xstate/graph'],
  ['a machine calls the wire', 'machines/buy.ts', imports('../src/client/redeem.ts'), 'machines looks only down'],
  ['the brand calls the wire', 'src/brand/brand.ts', imports('../client/redeem.ts'), 'src/brand looks only down'],
  ['ui knows the model', 'src/ui/price.ts', imports('../../machines/model/title.ts'), 'src/ui looks only down'],
  [
    'the landing page uses a late view by another one',
    'src/flows/landing/index.ts',
    imports('../../views/words.ts'),
    'the landing page and the frame do without late views',
  ],
  ['a shared view calls the wire', 'src/views/buy.ts', imports('../client/redeem.ts'), 'src/views looks only down'],
  [
    'a view calls the wire',
    'src/flows/buy/Buy.tsx',
    imports('../../client/redeem.ts'),
    'a view knows neither the client nor a port',
  ],
  [
    'a view knows the wire’s types',
    'src/flows/buy/Buy.tsx',
    `import type { Wire } from '../../client/wire/schema.gen.ts'\nexport type A = Wire\n`,
    'a view knows neither the client nor a port',
  ],
  [
    'a view reaches for a port',
    'src/flows/redeem/Other.tsx',
    imports('./ports.ts'),
    'a view knows neither the client nor a port',
  ],
  [
    'a view imports another flow',
    'src/flows/buy/Buy.tsx',
    imports('../library/Library.tsx'),
    "one flow never imports another's files",
  ],
  ['the shell imports a flow', 'src/shell/Own.tsx', imports('../flows/library/Library.tsx'), 'src/shell looks only down'],
  [
    'the registry imports code',
    'machines/flows/library.ts',
    imports('../../src/flows/library/Library.tsx'),
    'machines/flows looks only down',
  ],
  ['the page imports the server', 'src/flows/buy/own.ts', imports('../../../server/main.ts'), 'nothing imports the server'],
  ['the page imports a test', 'src/flows/buy/own.ts', imports('../../../tests/server/main.test.ts'), 'nothing imports the tests'],
  [
    'the server imports a machine',
    'server/api/other.ts',
    imports('../../machines/redeem.ts'),
    'the server shares generated types, the registry and plain rules alone',
  ],
  [
    'the server imports the model',
    'server/api/other.ts',
    imports('../../machines/model/other.ts'),
    'the server shares generated types, the registry and plain rules alone',
  ],
  [
    'a rule that the server shares imports something',
    'machines/model/account/email.ts',
    imports('../other.ts'),
    'a plain rule imports nothing',
  ],
  ['the page uses Node', 'src/flows/buy/own.ts', imports('node:fs'), 'what runs in a browser knows no Node module'],
  ['two files form a ring', 'src/flows/buy/own.ts', imports('./own.ts'), 'no cycles'],
  ['an import leads nowhere', 'src/flows/buy/own.ts', imports('./gone.ts'), 'every import resolves'],
  ['the database uses the kernel', 'server/database/open.ts', imports('../kernel/errors.ts'), 'server/database looks only down'],
  [
    'a part of the server knows the types of another one in its layer',
    'server/accounts/own.ts',
    `import type { Right } from '../entitlements/right.ts'\nexport type Own = Right\n`,
    'server/accounts looks only down',
  ],
  ['a file is in no layer of the server', 'server/helpers.ts', 'export const help = 1\n', 'is in no layer of server'],
  ['a file stands outside every floor', 'src/extra.ts', 'export const extra = 1\n', 'stands on no floor: src/extra.ts'],
];

describe('import floors', () => {
  test('a sound tree passes', async () => {
    // Every planted tree has these, which its configuration reads.
    const planted = ['machines/model/language-names.ts', 'machines/model/page-name-context.ts'];
    const outcome = await checkFloors(await plant(sound), folders);
    expect(outcome).toEqual({
      passed: 1,
      failed: 0,
      says: `${Object.keys(sound).length + planted.length} files keep to their floors`,
    });
  });

  test('a tool imports lower ones alone', async () => {
    const tools = { 'tools/paths/plan.ts': 'export const plan = 1\n', 'tools/tours/stage.ts': imports('../paths/plan.ts') };
    expect((await checkFloors(await plant(tools), ['tools'])).says).toContain(
      'tools/tours looks only down: tools/tours/stage.ts',
    );
  });

  test('no tool imports a test', async () => {
    const helper = { 'tests/support/helper.ts': `export const help = 1\n` };
    const using = `import { help } from '../../tests/support/helper.ts'\nexport const helped = help\n`;
    const checked = await checkFloors(await plant({ ...helper, 'tools/paths/plan.ts': using }), ['tools', 'tests']);
    expect(checked.says).toContain('nothing imports the tests: tools/paths/plan.ts');
  });

  test.each(faults)('%s', async (_, path, text, said) => {
    const { failed, says } = await checkFloors(await plant({ ...sound, [path]: text }), folders);
    expect(failed).toBe(1);
    expect(says).toContain(said);
  });
});
