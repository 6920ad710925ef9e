import type { AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import type { Reaction, Step } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { session } from './session.ts';
import { createWorker } from './world.ts';

type ProvidedImplementations = Parameters<AnyStateMachine['provide']>[0];
type MachineChange = { change: string; provide: ProvidedImplementations; first: (step: Step) => boolean };

const noop = () => {};
const isEvent =
  (type: string) =>
  ({ input }: Step) =>
    'event' in input && input.to === 'root' && input.event.type === type;
const hasReaction = (match: (reaction: Reaction) => boolean) => (step: Step) => step.reactions.some(match);
const changesKey = (key: string) => (reaction: Reaction) => reaction.actor === 'root' && key in reaction.changed;

const worker = createWorker({ chance: () => 0, after: () => noop });

const countedEvents = ['WORKED', 'xstate.done.actor.counterAtOnce'];

/** Changes of the machine, each with the session step that first shows it. */
const changes: MachineChange[] = [
  {
    change: 'an action counts nothing',
    provide: { actions: { count: noop } },
    first: hasReaction(({ on }) => countedEvents.includes(on)),
  },
  {
    change: 'an action after a raised event counts nothing',
    provide: { actions: { countMany: noop } },
    first: (step) => isEvent('ASK')(step) || isEvent('INNER')(step),
  },
  { change: 'an action spawns nothing', provide: { actions: { hire: noop } }, first: isEvent('HIRE') },
  {
    change: 'an action forgets',
    provide: { actions: { noteHired: noop } },
    first: hasReaction((reaction) => reaction.on === 'HIRE.NAMED' && changesKey('hasNamed')(reaction)),
  },
  {
    change: 'an observable’s value is not stored',
    provide: { actions: { keepSeen: noop } },
    first: hasReaction((reaction) => reaction.on.startsWith('xstate.snapshot') && changesKey('seen')(reaction)),
  },
  {
    change: 'a failure is not kept',
    provide: { actions: { keepFailure: noop } },
    first: hasReaction(({ on }) => on === 'xstate.error.actor.broken'),
  },
  { change: 'a guard says no', provide: { guards: { hasNoNamed: () => false } }, first: isEvent('HIRE.NAMED') },
  {
    change: 'a guard says yes',
    provide: { guards: { isMany: () => true } },
    first: hasReaction(({ state }) => (state as { left?: string } | undefined)?.left === 'counted'),
  },
  {
    change: 'a delay is longer',
    provide: { delays: { turn: 13 } },
    first: (step) => step.input.kind === 'timer' && step.input.event.type.startsWith('xstate.after.turn'),
  },
  {
    change: 'a child machine decides otherwise',
    provide: { actors: { worker: worker.provide({ guards: { isEven: () => true } }) } },
    first: hasReaction(
      ({ on, state, status }) => on.startsWith('xstate.error.actor.job') && (state === 'gone' || status === 'done'),
    ),
  },
];

/** A recorded session that shows the change, and its step. */
const findSession = async ({ first }: MachineChange) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { runs, machine } = await session(seed);
    const [run] = runs;
    if (!run) continue;
    const step = replay(machine, run).steps.findIndex(first);
    if (step >= 0) return { run, machine, step };
  }
  throw new Error('No session shows this change.');
};

test.each(changes)('$change: reported at the first step that differs', async (plant) => {
  const { run, machine, step } = await findSession(plant);
  const changed = machine.provide(plant.provide);
  expect(replay(machine, run).divergence).toBeNull();
  expect(replay(changed, run).divergence?.step).toBe(step);
});
