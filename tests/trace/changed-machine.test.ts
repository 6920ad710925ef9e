import type { AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import type { Reaction, Step } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { session } from './session.ts';
import { workerOf } from './world.ts';

type Provided = Parameters<AnyStateMachine['provide']>[0];
type MachineChange = { change: string; provide: Provided; first: (step: Step) => boolean };

const nothing = () => {};
const took =
  (type: string) =>
  ({ input }: Step) =>
    'event' in input && input.to === 'root' && input.event.type === type;
const settledOn = (match: (reaction: Reaction) => boolean) => (step: Step) => step.reactions.some(match);
const keeps = (key: string) => (reaction: Reaction) => reaction.actor === 'root' && key in reaction.changed;

const worker = workerOf({ chance: () => 0, after: () => nothing });

const counted = ['WORKED', 'xstate.done.actor.counterAtOnce'];

/** Changes of the machine, each with the step of a session at which it first shows. */
const changes: MachineChange[] = [
  {
    change: 'an action counts nothing',
    provide: { actions: { count: nothing } },
    first: settledOn(({ on }) => counted.includes(on)),
  },
  {
    change: 'an action after a raised event counts nothing',
    provide: { actions: { countMany: nothing } },
    first: (step) => took('ASK')(step) || took('INNER')(step),
  },
  { change: 'an action spawns nothing', provide: { actions: { hire: nothing } }, first: took('HIRE') },
  {
    change: 'an action forgets',
    provide: { actions: { noteHired: nothing } },
    first: settledOn((reaction) => reaction.on === 'HIRE.NAMED' && keeps('hasNamed')(reaction)),
  },
  {
    change: 'what an observable said is not kept',
    provide: { actions: { keepSeen: nothing } },
    first: settledOn((reaction) => reaction.on.startsWith('xstate.snapshot') && keeps('seen')(reaction)),
  },
  {
    change: 'a failure is not kept',
    provide: { actions: { keepFailure: nothing } },
    first: settledOn(({ on }) => on === 'xstate.error.actor.broken'),
  },
  { change: 'a guard says no', provide: { guards: { hasNoNamed: () => false } }, first: took('HIRE.NAMED') },
  {
    change: 'a guard says yes',
    provide: { guards: { isMany: () => true } },
    first: settledOn(({ state }) => (state as { left?: string } | undefined)?.left === 'counted'),
  },
  {
    change: 'a delay is longer',
    provide: { delays: { turn: 13 } },
    first: (step) => step.input.kind === 'timer' && step.input.event.type.startsWith('xstate.after.turn'),
  },
  {
    change: 'a child machine decides otherwise',
    provide: { actors: { worker: worker.provide({ guards: { isEven: () => true } }) } },
    first: settledOn(
      ({ on, state, status }) => on.startsWith('xstate.error.actor.job') && (state === 'gone' || status === 'done'),
    ),
  },
];

/** A recorded session in which the change shows, and the step where. */
const sessionWith = async ({ first }: MachineChange) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { runs, machine } = await session(seed);
    const [run] = runs;
    if (!run) continue;
    const step = replay(machine, run).steps.findIndex(first);
    if (step >= 0) return { run, machine, step };
  }
  throw new Error('No session shows it.');
};

test.each(changes)('$change: reported at the first step that differs', async (plant) => {
  const { run, machine, step } = await sessionWith(plant);
  const changed = machine.provide(plant.provide);
  expect(replay(machine, run).divergence).toBeNull();
  expect(replay(changed, run).divergence?.step).toBe(step);
});
