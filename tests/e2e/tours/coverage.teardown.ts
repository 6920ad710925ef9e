import { expect, test } from '@playwright/test';
import { nameOf, transitionsOf } from '../../../machines/paths/transitions.ts';
import { appModels } from '../../machines/app.paths.ts';
import { flowModels } from '../../machines/flows.paths.ts';
import { purchaseModels } from '../../machines/purchase.paths.ts';
import { readingModels } from '../../machines/reading.paths.ts';
import { exceptions } from './exceptions.ts';
import { readFired } from './fired.ts';

const machines = new Map(
  [...appModels, ...flowModels, ...purchaseModels, ...readingModels].map(({ name, machine }) => [name, machine]),
);

// What the pages themselves recorded says it: not what a tour meant to do, but what the shop's machines did.
for (const [name, machine] of machines) {
  test(`the browser made every transition of ${name} fire`, async ({}, info) => {
    const all = await readFired(info.project.outputDir);
    const own = all.filter((fired) => fired.machine === name);
    test.skip(
      own.length === 0 || own.length < (own[0]?.of ?? 1),
      `${own.length} of ${own[0]?.of ?? 'all'} tours of ${name} passed in this run`,
    );

    const fired = new Set(all.flatMap(({ names }) => names));
    const excepted = new Set(Object.keys(exceptions[name] ?? {}));
    const missed = transitionsOf(machine)
      .map(nameOf)
      .filter((each) => !fired.has(each) && !excepted.has(each));
    expect(missed).toEqual([]);
  });
}
