import { expect, test } from 'vitest';
import { flows, toFolderName } from '../../machines/flows/registry.ts';
import { renderedChunks } from '../../src/ssr/rendered-chunks.ts';

test('the code for server rendering contains exactly the flows whose definitions allow server rendering', () => {
  const folders = Object.keys(renderedChunks).map((path) => /\/flows\/([^/]+)\//.exec(path)?.[1]);
  const expectedFolders = flows.filter((flow) => 'serverRendered' in flow).map(({ name }) => toFolderName(name));
  expect(new Set(folders)).toEqual(new Set<string | undefined>(expectedFolders));
});
