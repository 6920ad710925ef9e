import type { AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import type { Reaction, Step } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { recordSession } from './session.ts';
import { createWorker } from './world.ts';

type ProvidedImplementations = Parameters<AnyStateMachine['provide']>[0];
type MachineChange = { change: string; provide: ProvidedImplementations; showsChange: (step: Step) => boolean };

const noop = () => {};
const isEvent =
  (type: string) =>
  ({ input }: Step) =>
    'event' in input && input.to === 'root' && input.event.type === type;
const hasReaction = (match: (reaction: Reaction) => boolean) => (step: Step) => step.reactions.some(match);
const changesKey = (key: string) => (reaction: Reaction) => reaction.actor === 'root' && key in reaction.changed;

const worker = createWorker({ chance: () => 0, after: () => noop });

const countedEvents = ['WORKED', 'xstate.done.actor.counterAtOnce'];

/** Changes of the machine, each with a test for session steps that show the change. */
const changes: MachineChange[] = [
  {
    change: 'an action counts nothing',
    provide: { actions: { count: noop } },
    showsChange: hasReaction(({ on }) => countedEvents.includes(on)),
  },
  {
    change: 'an action after a raised event counts nothing',
    provide: { actions: { countMany: noop } },
    showsChange: (step) => isEvent('ASK')(step) || isEvent('INNER')(step),
  },
  { change: 'an action spawns nothing', provide: { actions: { hire: noop } }, showsChange: isEvent('HIRE') },
  {
    change: 'an action stores nothing',
    provide: { actions: { noteHired: noop } },
    showsChange: hasReaction((reaction) => reaction.on === 'HIRE.NAMED' && changesKey('hasNamed')(reaction)),
  },
  {
    change: 'an observable’s value is not stored',
    provide: { actions: { keepSeen: noop } },
    showsChange: hasReaction((reaction) => reaction.on.startsWith('xstate.snapshot') && changesKey('seen')(reaction)),
  },
  {
    change: 'a failure is not stored',
    provide: { actions: { keepFailure: noop } },
    showsChange: hasReaction(({ on }) => on === 'xstate.error.actor.broken'),
  },
  { change: 'a guard is false', provide: { guards: { hasNoNamed: () => false } }, showsChange: isEvent('HIRE.NAMED') },
  {
    change: 'a guard is true',
    provide: { guards: { isMany: () => true } },
    showsChange: hasReaction(({ state }) => (state as { left?: string } | undefined)?.left === 'counted'),
  },
  {
    change: 'a delay is longer',
    provide: { delays: { turn: 13 } },
    showsChange: (step) => step.input.kind === 'timer' && step.input.event.type.startsWith('xstate.after.turn'),
  },
  {
    change: 'a guard of a child machine is true',
    provide: { actors: { worker: worker.provide({ guards: { isEven: () => true } }) } },
    showsChange: hasReaction(
      ({ on, state, status }) => on.startsWith('xstate.error.actor.job') && (state === 'gone' || status === 'done'),
    ),
  },
];

/** Records sessions until one shows the change. @returns the run and its first such step */
const findSession = async ({ change, showsChange }: MachineChange) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { runs, machine } = await recordSession(seed);
    const [run] = runs;
    if (!run) continue;
    const step = replay(machine, run).steps.findIndex(showsChange);
    if (step >= 0) return { run, machine, step };
  }
  throw new Error(`None of 200 sessions shows the change “${change}”.`);
};

test.each(changes)('a replay in which $change diverges at the first step that differs', async (machineChange) => {
  const { run, machine, step } = await findSession(machineChange);
  const changedMachine = machine.provide(machineChange.provide);
  expect(replay(machine, run).divergence).toBeNull();
  expect(replay(changedMachine, run).divergence?.step).toBe(step);
});
