import { describe, expect, test } from 'vitest';
import { checkFloors } from '../../tools/check/cruise.ts';
import { plant } from './support/tree.ts';

const folders = ['machines', 'src', 'server', 'tests'];

const sound: Record<string, string> = {
  'machines/model/title.ts': `import { string } from 'valibot'\nexport const title = string()\n`,
  'machines/model/other.ts': `export const other = 1\n`,
  'machines/redeem.ts': `import { setup } from 'xstate'\nimport { title } from './model/title.ts'\nexport const redeem = [setup, title]\n`,
  'machines/paths/tour.ts': `import { getShortestPaths } from 'xstate/graph'\nimport { redeem } from '../redeem.ts'\nexport const tour = [getShortestPaths, redeem]\n`,
  'src/api/schema.gen.ts': `export type Wire = string\n`,
  'src/api/redeem.ts': `import { title } from '../../machines/model/title.ts'\nexport const call = title\n`,
  'src/ui/button.ts': `export const button = 1\n`,
  'src/ports/redeem.ts': `import { call } from '../api/redeem.ts'\nexport const port = call\n`,
  'src/views/card.ts': `export const card = 1\n`,
  'src/views/redeem/redeem.ts': `import { button } from '../../ui/button.ts'\nimport { card } from '../card.ts'\nexport const view = [button, card]\n`,
  'src/views/library/library.ts': `export const library = 1\n`,
  'src/views/shell/shell.ts': `import { library } from '../library/library.ts'\nexport const shell = library\n`,
  'src/routes.ts': `export const routes = () => import('./views/redeem/redeem.ts')\n`,
  'src/main.tsx': `import { routes } from './routes.ts'\nimport { port } from './ports/redeem.ts'\nexport const app = [routes, port]\n`,
  'server/main.ts': `import { createServer } from 'node:http'\nimport type { Wire } from '../src/api/schema.gen.ts'\nexport const server: [Wire, unknown] = ['', createServer]\n`,
  'tests/server/main.test.ts': `import { server } from '../../server/main.ts'\nvoid server\n`,
};

const imports = (path: string): string => `import '${path}'\n`;

/** [what is broken, the file with the fault, its text, what the check has to say] */
const faults: [string, string, string, string][] = [
  ['the model uses XState', 'machines/model/other.ts', imports('xstate'), 'machines/model may not use xstate'],
  ['the model looks up', 'machines/model/other.ts', imports('../redeem.ts'), 'machines/model looks only down'],
  ['a machine uses valibot', 'machines/buy.ts', imports('valibot'), 'machines may not use valibot'],
  ['a machine uses the graph tools', 'machines/buy.ts', imports('xstate/graph'), 'machines may not use xstate/graph'],
  ['a machine calls the wire', 'machines/buy.ts', imports('../src/api/redeem.ts'), 'machines looks only down'],
  ['the wire looks at its neighbour', 'src/brand/brand.ts', imports('../api/redeem.ts'), 'src/brand looks only down'],
  ['ui knows the model', 'src/ui/price.ts', imports('../../machines/model/title.ts'), 'src/ui looks only down'],
  ['a view calls the wire', 'src/views/buy/buy.ts', imports('../../api/redeem.ts'), 'src/views looks only down'],
  [
    'a view knows the wire’s types',
    'src/views/buy/buy.ts',
    `import type { Wire } from '../../api/schema.gen.ts'\nexport type A = Wire\n`,
    'src/views looks only down',
  ],
  ['a view reaches for a port', 'src/views/buy/buy.ts', imports('../../ports/redeem.ts'), 'src/views looks only down'],
  [
    'a view imports another flow',
    'src/views/buy/buy.ts',
    imports('../library/library.ts'),
    "one flow's view never imports another's",
  ],
  ['a view imports the frame', 'src/views/buy/buy.ts', imports('../shell/shell.ts'), "one flow's view never imports another's"],
  ['the page imports the server', 'src/ports/own.ts', imports('../../server/main.ts'), 'nothing imports the server'],
  ['the page imports a test', 'src/ports/own.ts', imports('../../tests/server/main.test.ts'), 'nothing imports the tests'],
  [
    'the server imports a machine',
    'server/other.ts',
    imports('../machines/redeem.ts'),
    'the server shares generated types alone',
  ],
  ['the page uses Node', 'src/ports/own.ts', imports('node:fs'), 'what runs in a browser knows no Node module'],
  ['two files form a ring', 'src/ports/own.ts', imports('./own.ts'), 'no cycles'],
  ['an import leads nowhere', 'src/ports/own.ts', imports('./gone.ts'), 'every import resolves'],
  ['a file stands outside every floor', 'src/extra.ts', 'export const extra = 1\n', 'stands on no floor: src/extra.ts'],
];

describe('import floors', () => {
  test('a sound tree passes', async () => {
    const outcome = await checkFloors(await plant(sound), folders);
    expect(outcome).toEqual({ passed: 1, failed: 0, says: `${Object.keys(sound).length} files keep to their floors` });
  });

  test('plans read the path models, other tools do not', async () => {
    const model = { 'tests/machines/models.ts': `export const models = 1\n` };
    const reading = `import { models } from '../../tests/machines/models.ts'\nexport const read = models\n`;
    const planned = await checkFloors(await plant({ ...model, 'tools/paths/plan.ts': reading }), ['tools', 'tests']);
    expect(planned).toMatchObject({ passed: 1, failed: 0 });
    const checked = await checkFloors(await plant({ ...model, 'tools/check/plan.ts': reading }), ['tools', 'tests']);
    expect(checked.says).toContain('nothing imports the tests: tools/check/plan.ts');
  });

  test.each(faults)('%s', async (_, path, text, said) => {
    const { failed, says } = await checkFloors(await plant({ ...sound, [path]: text }), folders);
    expect(failed).toBe(1);
    expect(says).toContain(said);
  });
});
