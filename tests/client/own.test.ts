import { setup } from 'xstate';
import { expect, test, vi } from 'vitest';
import { grants } from '../../src/client/library/grants.ts';
import { owning } from '../../src/client/world/own.ts';
import { withheld } from '../../src/history/withheld.ts';
import { flowFetcher } from '../../src/shell/app/fetch-flow.ts';
import { world } from '../support/client/world.ts';
import { shopWorld } from '../support/client/shop-world.ts';

const worldOf = () => shopWorld(() => world([]).api);

test('a world has one of each thing, whoever asks for it, and no other world has the same', () => {
  const make = vi.fn((parts: { name: string }) => ({ of: parts.name }));
  const [one, other] = [owning({ name: 'one' }), owning({ name: 'other' })];
  expect([one.own(make), one.own(make), other.own(make)]).toEqual([{ of: 'one' }, { of: 'one' }, { of: 'other' }]);
  expect(one.own(make)).toBe(one.own(make));
  expect(make).toHaveBeenCalledTimes(2);
});

test('what is told or withheld in one world is not known in another', () => {
  const [one, other] = [worldOf(), worldOf()];
  const heard = vi.fn();
  other.own(grants).on(heard);
  one.own(grants).tell();
  expect(heard).not.toHaveBeenCalled();
  one.own(withheld).withhold('/redeem/…', '/redeem/SECRET');
  expect(other.own(withheld).wholeOf('/redeem/…')).toBe('/redeem');
});

test('a flow whose part is fetched once more keeps its machine, and with it what its ports remember', async () => {
  const machine = setup({}).createMachine({});
  const flow = vi.fn(() => machine.provide({}));
  const registered: unknown[] = [];
  const { fetchFlow } = flowFetcher({
    world: worldOf(),
    parts: { '/src/flows/catalogue/index.ts': async () => ({ flow, Screens: () => null }) },
    loadFlowTranslations: async () => {},
    register: (_, each) => void registered.push(each),
  });
  await fetchFlow('catalogue');
  await fetchFlow('catalogue');
  expect(registered).toHaveLength(2);
  expect(registered[0]).toBe(registered[1]);
  expect(flow).toHaveBeenCalledTimes(1);
});
