import { expect, test } from 'vitest';
import { flows, folderOf } from '../../machines/flows/registry.ts';
import { paintedParts } from '../../src/painting/painted-parts.ts';

test('the program that paints has the flows whose definitions say that they may come painted, and no others', () => {
  const folders = Object.keys(paintedParts).map((path) => /\/flows\/([^/]+)\//.exec(path)?.[1]);
  const named = flows.filter((flow) => 'painted' in flow).map(({ name }) => folderOf(name));
  expect(new Set(folders)).toEqual(new Set<string | undefined>(named));
});
