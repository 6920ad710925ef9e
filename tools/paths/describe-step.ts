import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Edge } from '../../machines/paths/explore.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { caseDescription, textIn, type AnyDescription } from '../../machines/path-models/description.ts';

/** Who makes a step happen. */
export type Doer = 'you' | 'server' | 'clock' | 'world';

/** A step as text; `missing` names what has no description. */
export type DescribedStep = { by: Doer; does: string; sees: string[]; missing: string[] };

const sentence = (text: string): string => (/[.!?”]$/.test(text) && !/[^.!?]”$/.test(text) ? text : `${text}.`);

/** Stands for a description that is missing. */
const raw = (name: string): string => `\`${name}\``;

/** The case of the model that an event is. */
export const caseIn = ({ cases = {} }: PathModel, { type, ...payload }: AnyEventObject): object | undefined => {
  const text = JSON.stringify(payload);
  return (cases[type] ?? []).find((each) => JSON.stringify(each) === text);
};

const caseSaid = (model: PathModel, event: AnyEventObject): string => {
  const found = caseIn(model, event);
  return found === undefined ? '' : caseDescription(found);
};

/** A delay of the machine in milliseconds, as it is in a snapshot; null for one that it does not know. */
const delayIn = (machine: AnyStateMachine, name: string, snapshot: AnyMachineSnapshot): number | null => {
  const delay: unknown = machine.implementations.delays[name] ?? (/^\d+$/.test(name) ? Number(name) : null);
  if (typeof delay === 'function') return Number((delay as (args: object) => unknown)({ context: snapshot.context as unknown }));
  return typeof delay === 'number' ? delay : null;
};

const duration = (ms: number): string => (ms < 1000 ? `${ms} milliseconds` : `${ms / 1000} second${ms === 1000 ? '' : 's'}`);

const settled = /^xstate\.(done|error)\.actor\.(.+)$/;
const passed = /^xstate\.after\.([^.]+)\./;

type Deed = { by: Doer; does: string; missing: string[] };

const told = (text: string, detail: string): string => sentence(detail === '' ? text : `${text}: ${detail}`);

const deedOf = (model: PathModel, { from, event }: Edge): Deed => {
  const { description } = model;
  const { type } = event;
  const detail = caseSaid(model, event);
  const press = description.presses?.[type];
  if (press !== undefined) return { by: 'you', does: told(textIn(press, from.snapshot), detail), missing: [] };
  const news = description.happens?.[type];
  if (news !== undefined) return { by: 'world', does: told(news, detail), missing: [] };
  const [, ending, id = ''] = settled.exec(type) ?? [];
  const asked = description.asks?.[id];
  if (asked !== undefined) {
    return {
      by: 'server',
      does: told(`The server ${ending === 'done' ? 'gives' : 'does not give'} ${asked}`, detail),
      missing: [],
    };
  }
  const [, delay] = passed.exec(type) ?? [];
  const ms = delay === undefined ? null : delayIn(model.machine, delay, from.snapshot);
  if (ms !== null) return { by: 'clock', does: `Let ${duration(ms)} pass.`, missing: [] };
  return { by: 'world', does: told(raw(type), detail), missing: [`event ${type}`] };
};

const leavesOf = (snapshot: AnyMachineSnapshot): AnyStateNode[] =>
  (snapshot._nodes as AnyStateNode[]).filter(({ type }) => type === 'atomic' || type === 'final');

/** What is on the screen in a snapshot, a line for each part that has a state of its own. */
export const seenIn = (
  description: AnyDescription,
  snapshot: AnyMachineSnapshot,
): { id: string; text: string; isMissing: boolean }[] =>
  leavesOf(snapshot).map(({ id }) => {
    const text = description.states[id];
    return { id, text: sentence(text === undefined ? raw(id) : textIn(text, snapshot)), isMissing: text === undefined };
  });

const actionsOf = ({ fired }: Edge): string[] =>
  fired.flatMap(({ actions }) =>
    actions.map((action: unknown) => (typeof action === 'string' ? action : (action as { type: string }).type)),
  );

const effectsOf = (description: AnyDescription, edge: Edge): string[] =>
  [...new Set(actionsOf(edge))].flatMap((name) => description.effects?.[name] ?? []).map(sentence);

/**
 * Describes a step: what is done or happens, and what must be seen then; of a screen with several parts, only the parts that
 * have changed. The description is missing if nothing could be seen.
 */
export const describeStep = (model: PathModel, edge: Edge): DescribedStep => {
  const { description } = model;
  const { by, does, missing } = deedOf(model, edge);
  if (edge.fired.length === 0) {
    const refused = by === 'you' ? `${sentence(does).slice(0, -1)}, should the shop let you.` : does;
    return { by, does: refused, sees: ['Nothing changes.'], missing };
  }
  const before = new Set(leavesOf(edge.from.snapshot).map(({ id }) => id));
  const seen = seenIn(description, edge.to.snapshot);
  const changed = seen.filter(({ id }) => !before.has(id));
  const effects = effectsOf(description, edge);
  const isSilent = changed.length === 0 && effects.length === 0;
  // A step back into the same state, as when a wait begins again, is recognised by the state itself.
  const still = isSilent ? seen.map(({ text }) => text) : [];
  const hasNoEffect = isSilent && edge.fired.every(({ target }) => target === undefined);
  return {
    by,
    does,
    sees: [...effects, ...changed.map(({ text }) => text), ...still],
    missing: [
      ...missing,
      ...changed.filter(({ isMissing }) => isMissing).map(({ id }) => `state ${id}`),
      ...(hasNoEffect ? [`effect ${actionsOf(edge).join(', ')}`] : []),
    ],
  };
};
