import { setup } from 'xstate';
import { expect, test, vi } from 'vitest';
import { ownershipChanged } from '../../src/client/library/ownership-changed.ts';
import { createScope } from '../../src/client/environment/scope.ts';
import { createSecretAddresses } from '../../src/history/secret-addresses.ts';
import { createFlowFetcher } from '../../src/shell/app/fetch-flow.ts';
import { createFakeServer } from '../support/client/fake-environment.ts';
import { createShopEnvironment } from '../support/client/shop-environment.ts';

const createEnvironment = () => createShopEnvironment(() => createFakeServer([]).api);

test('a scope has one instance of each part for all callers, and shares none with another scope', () => {
  const createPart = vi.fn((parts: { name: string }) => ({ of: parts.name }));
  const [firstScope, secondScope] = [createScope({ name: 'one' }), createScope({ name: 'other' })];
  expect([firstScope.scoped(createPart), firstScope.scoped(createPart), secondScope.scoped(createPart)]).toEqual([
    { of: 'one' },
    { of: 'one' },
    { of: 'other' },
  ]);
  expect(firstScope.scoped(createPart)).toBe(firstScope.scoped(createPart));
  expect(createPart).toHaveBeenCalledTimes(2);
});

test('state of one environment does not leak into another', () => {
  const [firstEnvironment, secondEnvironment] = [createEnvironment(), createEnvironment()];
  const listener = vi.fn();
  secondEnvironment.scoped(ownershipChanged).subscribe(listener);
  firstEnvironment.scoped(ownershipChanged).emit();
  expect(listener).not.toHaveBeenCalled();
  firstEnvironment.scoped(createSecretAddresses).registerSecret('/redeem/…', '/redeem/SECRET');
  expect(secondEnvironment.scoped(createSecretAddresses).getFullAddress('/redeem/…')).toBe('/redeem');
});

test('a flow whose chunk is loaded again keeps its machine', async () => {
  const machine = setup({}).createMachine({});
  const flow = vi.fn(() => machine.provide({}));
  const registeredFlows: unknown[] = [];
  const { fetchFlow } = createFlowFetcher({
    environment: createEnvironment(),
    parts: { '/src/flows/catalogue/index.ts': async () => ({ flow, Screens: () => null }) },
    loadFlowTranslations: async () => {},
    register: (_, registeredFlow) => void registeredFlows.push(registeredFlow),
  });
  await fetchFlow('catalogue');
  await fetchFlow('catalogue');
  expect(registeredFlows).toHaveLength(2);
  expect(registeredFlows[0]).toBe(registeredFlows[1]);
  expect(flow).toHaveBeenCalledTimes(1);
});
