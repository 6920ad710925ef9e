import { describe, expect, test } from 'vitest';
import { checkLayers } from '../../tools/check/cruise.ts';
import { plantTree } from './support/tree.ts';

const folders = ['machines', 'src', 'server', 'tests'];

const validFiles: Record<string, string> = {
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
  'src/views/lazy/words.ts': `export const late = 1\n`,
  'src/views/words.ts': `import { late } from './lazy/words.ts'\nexport const words = late\n`,
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

const importLine = (path: string): string => `import '${path}'\n`;

/** [the fault, its file, the file's text, the expected finding] */
const violations: [string, string, string, string][] = [
  ['the model uses XState', 'machines/model/other.ts', importLine('xstate'), 'machines/model may not use xstate'],
  [
    'the model imports a machine',
    'machines/model/other.ts',
    importLine('../redeem.ts'),
    'machines/model imports only lower layers',
  ],
  ['a machine uses valibot', 'machines/buy.ts', importLine('valibot'), 'machines may not use valibot'],
  ['a machine uses the graph tools', 'machines/buy.ts', importLine('xstate/graph'), 'machines may not use xstate/graph'],
  [
    'a machine imports the client',
    'machines/buy.ts',
    importLine('../src/client/redeem.ts'),
    'machines imports only lower layers',
  ],
  [
    'the brand imports the client',
    'src/brand/brand.ts',
    importLine('../client/redeem.ts'),
    'src/brand imports only lower layers',
  ],
  ['ui imports the model', 'src/ui/price.ts', importLine('../../machines/model/title.ts'), 'src/ui imports only lower layers'],
  [
    'the landing page imports a lazy view through another view',
    'src/flows/landing/index.ts',
    importLine('../../views/words.ts'),
    'the landing page and the frame do not import lazy views',
  ],
  [
    'a shared view imports the client',
    'src/views/buy.ts',
    importLine('../client/redeem.ts'),
    'src/views imports only lower layers',
  ],
  [
    'a view imports the client',
    'src/flows/buy/Buy.tsx',
    importLine('../../client/redeem.ts'),
    'a view does not import the client or a port',
  ],
  [
    'a view imports types of the wire',
    'src/flows/buy/Buy.tsx',
    `import type { Wire } from '../../client/wire/schema.gen.ts'\nexport type A = Wire\n`,
    'a view does not import the client or a port',
  ],
  [
    'a view imports a port',
    'src/flows/redeem/Other.tsx',
    importLine('./ports.ts'),
    'a view does not import the client or a port',
  ],
  [
    'a view imports another flow',
    'src/flows/buy/Buy.tsx',
    importLine('../library/Library.tsx'),
    'a flow does not import files of another flow',
  ],
  [
    'the shell imports a flow',
    'src/shell/Own.tsx',
    importLine('../flows/library/Library.tsx'),
    'src/shell imports only lower layers',
  ],
  [
    'the registry imports code',
    'machines/flows/library.ts',
    importLine('../../src/flows/library/Library.tsx'),
    'machines/flows imports only lower layers',
  ],
  ['the app imports the server', 'src/flows/buy/own.ts', importLine('../../../server/main.ts'), 'nothing imports the server'],
  [
    'the app imports a test',
    'src/flows/buy/own.ts',
    importLine('../../../tests/server/main.test.ts'),
    'nothing imports the tests',
  ],
  [
    'the server imports a machine',
    'server/api/other.ts',
    importLine('../../machines/redeem.ts'),
    'the server imports only generated types, the registry and shared rules',
  ],
  [
    'the server imports the model',
    'server/api/other.ts',
    importLine('../../machines/model/other.ts'),
    'the server imports only generated types, the registry and shared rules',
  ],
  [
    'a rule that the server shares imports another file of the model',
    'machines/model/account/email.ts',
    importLine('../other.ts'),
    'a shared rule imports only shared rules',
  ],
  ['the app uses Node', 'src/flows/buy/own.ts', importLine('node:fs'), 'browser code does not import Node modules'],
  ['a file imports itself', 'src/flows/buy/own.ts', importLine('./own.ts'), 'no cycles'],
  ['an import leads nowhere', 'src/flows/buy/own.ts', importLine('./gone.ts'), 'every import resolves'],
  [
    'the database imports the kernel',
    'server/database/open.ts',
    importLine('../kernel/errors.ts'),
    'server/database imports only lower layers',
  ],
  [
    'a folder of the server imports types of another folder in its layer',
    'server/accounts/own.ts',
    `import type { Right } from '../entitlements/right.ts'\nexport type Own = Right\n`,
    'server/accounts imports only lower layers',
  ],
  ['a file is in no layer of the server', 'server/helpers.ts', 'export const help = 1\n', 'is in no layer of server'],
  ['a file is outside of every layer', 'src/extra.ts', 'export const extra = 1\n', 'is in no layer: src/extra.ts'],
];

describe('import layers', () => {
  test('a valid tree passes', async () => {
    // Every planted tree has these files, which its configuration reads.
    const configFiles = ['machines/model/store/language-names.ts', 'machines/model/store/page-name-context.ts'];
    const outcome = await checkLayers(await plantTree(validFiles), folders);
    expect(outcome).toEqual({
      passed: 1,
      failed: 0,
      summary: `${Object.keys(validFiles).length + configFiles.length} files respect their layers`,
    });
  });

  test('a tool imports lower layers only', async () => {
    const tools = {
      'tools/paths/plan.ts': 'export const plan = 1\n',
      'tools/tours/browser-adapter.ts': importLine('../paths/plan.ts'),
    };
    expect((await checkLayers(await plantTree(tools), ['tools'])).summary).toContain(
      'tools/tours imports only lower layers: tools/tours/browser-adapter.ts',
    );
  });

  test('no tool imports a test', async () => {
    const helper = { 'tests/support/helper.ts': `export const help = 1\n` };
    const toolText = `import { help } from '../../tests/support/helper.ts'\nexport const helped = help\n`;
    const layersResult = await checkLayers(await plantTree({ ...helper, 'tools/paths/plan.ts': toolText }), ['tools', 'tests']);
    expect(layersResult.summary).toContain('nothing imports the tests: tools/paths/plan.ts');
  });

  test.each(violations)('a violation of the layers is found: %s', async (_, path, text, finding) => {
    const { failed, summary } = await checkLayers(await plantTree({ ...validFiles, [path]: text }), folders);
    expect(failed).toBe(1);
    expect(summary).toContain(finding);
  });
});
