import { setup } from 'xstate';
import { expect, test, vi } from 'vitest';
import { ownershipChanged } from '../../src/client/library/ownership-changed.ts';
import { createScope } from '../../src/client/environment/scope.ts';
import { createSecretAddresses } from '../../src/history/secret-addresses.ts';
import { createFlowFetcher } from '../../src/shell/app/fetch-flow.ts';
import { environment } from '../support/client/fake-environment.ts';
import { createShopEnvironment } from '../support/client/shop-environment.ts';

const createEnvironment = () => createShopEnvironment(() => environment([]).api);

test('a world has one instance of each part for all callers, and shares none with another world', () => {
  const make = vi.fn((parts: { name: string }) => ({ of: parts.name }));
  const [one, other] = [createScope({ name: 'one' }), createScope({ name: 'other' })];
  expect([one.scoped(make), one.scoped(make), other.scoped(make)]).toEqual([{ of: 'one' }, { of: 'one' }, { of: 'other' }]);
  expect(one.scoped(make)).toBe(one.scoped(make));
  expect(make).toHaveBeenCalledTimes(2);
});

test('state of one world does not leak into another', () => {
  const [one, other] = [createEnvironment(), createEnvironment()];
  const heard = vi.fn();
  other.scoped(ownershipChanged).subscribe(heard);
  one.scoped(ownershipChanged).emit();
  expect(heard).not.toHaveBeenCalled();
  one.scoped(createSecretAddresses).registerSecret('/redeem/…', '/redeem/SECRET');
  expect(other.scoped(createSecretAddresses).getFullAddress('/redeem/…')).toBe('/redeem');
});

test('a flow whose chunk is loaded again keeps its machine and the memory of its ports', async () => {
  const machine = setup({}).createMachine({});
  const flow = vi.fn(() => machine.provide({}));
  const registered: unknown[] = [];
  const { fetchFlow } = createFlowFetcher({
    environment: createEnvironment(),
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
