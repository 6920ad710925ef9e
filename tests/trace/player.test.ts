import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import { play, type Player } from '../../machines/trace/player.ts';
import { getFlow, getScreen } from '../support/open-shop.ts';
import { recordPurchaseTrace } from './purchase.ts';
import { noLimits } from './session.ts';

const getCurrentFlow = ({ current }: Player): unknown => {
  const { actors } = current().moment;
  const flow = Object.keys(actors).findLast((name) => /^root\/screen\/flow(~\d+)?$/.test(name));
  return flow === undefined ? null : (actors[flow] as unknown as { machine: { id: string } }).machine.id;
};

const findPress = (player: Player, type: string): number =>
  player.positions.findIndex(({ recorded: { input } }) => input.kind === 'event' && input.event.type === type);

test('a purchase can be stepped through forwards and backwards, and jumped into', async () => {
  const player = play(shopMachine, await recordPurchaseTrace());
  expect(player.divergences).toEqual([]);
  expect(player.positions.length).toBeGreaterThan(12);
  expect([player.at(), getCurrentFlow(player)]).toEqual([0, null]);

  const payPosition = findPress(player, 'pay.pressed');
  expect(player.jump(payPosition).recorded.at).toBe(4_600);
  expect(getCurrentFlow(player)).toBe('purchase');
  while (player.forward()) expect(player.current()).toBe(player.positions[player.at()]);
  expect(player.current().moment.fired).toContain('purchase.paying leave');

  player.jump(payPosition);
  expect(player.back()).toBe(true);
  expect(player.current().moment.fired).toContain('purchase.quoting xstate.done.actor.offer');
});

test('a player stops at its ends, and a jump beyond an end goes to that end', async () => {
  const player = play(shopMachine, await recordPurchaseTrace());
  const last = player.positions.length - 1;
  expect([player.back(), player.at()]).toEqual([false, 0]);
  player.jump(last + 100);
  expect([player.forward(), player.at()]).toEqual([false, last]);
  player.jump(-1);
  expect(player.at()).toBe(0);
  expect(() => player.jump(Number.NaN)).toThrow(RangeError);
  expect(() => player.jump(1.5)).toThrow(RangeError);
  expect(player.at()).toBe(0);
  const trace = await recordPurchaseTrace();
  expect(() => play(shopMachine, { ...trace, runs: [] })).toThrow('no steps');
});

test('runs that continue from checkpoints form one visit, and every position has the state of an undivided recording', async () => {
  const undividedPlayer = play(shopMachine, await recordPurchaseTrace());
  const dividedPlayer = play(shopMachine, await recordPurchaseTrace({ bounds: { ...noLimits, runSize: 600 } }));
  const runs = dividedPlayer.positions.map(({ run }) => run);
  expect(new Set(runs).size).toBeGreaterThan(2);
  expect(dividedPlayer.divergences).toEqual([]);
  const getRootStates = ({ positions }: Player) =>
    positions
      .filter(({ recorded }) => recorded.input.kind === 'event')
      .map(({ moment }) => (moment.actors['root'] as unknown as { value: unknown }).value);
  expect(getRootStates(dividedPlayer)).toEqual(getRootStates(undividedPlayer));
});

test('the root actor of a position handles events as the shop did, and the position stays unchanged', async () => {
  const player = play(shopMachine, await recordPurchaseTrace({ bounds: { ...noLimits, runSize: 600 } }));
  player.jump(findPress(player, 'pay.pressed') - 1);
  const root = player.root();
  const app = root as unknown as Parameters<typeof getFlow>[0];
  expect(getFlow(app)).toMatchObject({ id: 'purchase', value: 'ready' });
  getFlow(app).send({ type: 'pay.pressed' });
  expect(root.getSnapshot()).toMatchObject({ value: 'open', context: { route: { flow: 'signIn' } } });
  expect(getScreen(app).getSnapshot()).toMatchObject({ value: 'fetching' });
  expect(getFlow(player.root() as unknown as typeof app)).toMatchObject({ value: 'ready' });
});

test('a run that diverges ends at that step; the other runs are still played', async () => {
  const trace = await recordPurchaseTrace({ bounds: { ...noLimits, runSize: 600 } });
  const step = trace.runs[0]?.steps[3];
  step?.reactions.push({ actor: 'root', on: 'nothing', changed: {} });
  const player = play(shopMachine, trace);
  expect(player.divergences).toMatchObject([{ run: 0, expected: { on: 'nothing' } }]);
  const steps = player.positions.filter(({ run }) => run === 0);
  expect(steps.length).toBe((player.divergences[0]?.step ?? 0) + 1);
  player.jump(steps.length);
  expect(player.current()).toMatchObject({ run: 1, step: 0 });
});
