import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Edge } from '../../machines/paths/explore.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { getCaseDescription, resolveText, type AnyDescription } from '../../machines/path-models/description.ts';

/** The actor that causes a step. */
export type StepActor = 'you' | 'server' | 'clock' | 'world';

/** A step as text; `missing` lists names without a description. */
export type DescribedStep = { by: StepActor; does: string; sees: string[]; missing: string[] };

const toSentence = (text: string): string => (/[.!?”]$/.test(text) && !/[^.!?]”$/.test(text) ? text : `${text}.`);

/** Formats a name as code, the fallback for a missing description. */
const toCode = (name: string): string => `\`${name}\``;

/** The model's case that an event belongs to. */
export const findCase = ({ cases = {} }: PathModel, { type, ...payload }: AnyEventObject): object | undefined => {
  const text = JSON.stringify(payload);
  return (cases[type] ?? []).find((each) => JSON.stringify(each) === text);
};

const getCaseText = (model: PathModel, event: AnyEventObject): string => {
  const matchingCase = findCase(model, event);
  return matchingCase === undefined ? '' : getCaseDescription(matchingCase);
};

/**
 * The milliseconds of a machine's delay with that name, computed from the snapshot's context; null
 * for an unknown name.
 */
const getDelay = (machine: AnyStateMachine, name: string, snapshot: AnyMachineSnapshot): number | null => {
  const delay: unknown = machine.implementations.delays[name] ?? (/^\d+$/.test(name) ? Number(name) : null);
  if (typeof delay === 'function') return Number((delay as (args: object) => unknown)({ context: snapshot.context as unknown }));
  return typeof delay === 'number' ? delay : null;
};

const formatDuration = (ms: number): string =>
  ms < 1000 ? `${ms} milliseconds` : `${ms / 1000} second${ms === 1000 ? '' : 's'}`;

const settledPattern = /^xstate\.(done|error)\.actor\.(.+)$/;
const timerPattern = /^xstate\.after\.([^.]+)\./;

type StepAction = { by: StepActor; does: string; missing: string[] };

const joinDetail = (text: string, detail: string): string => toSentence(detail === '' ? text : `${text}: ${detail}`);

const describeAction = (model: PathModel, { from, event }: Edge): StepAction => {
  const { description } = model;
  const { type } = event;
  const detail = getCaseText(model, event);
  const press = description.presses?.[type];
  if (press !== undefined) return { by: 'you', does: joinDetail(resolveText(press, from.snapshot), detail), missing: [] };
  const happening = description.happens?.[type];
  if (happening !== undefined) return { by: 'world', does: joinDetail(happening, detail), missing: [] };
  const [, ending, id = ''] = settledPattern.exec(type) ?? [];
  const requestedData = description.asks?.[id];
  if (requestedData !== undefined) {
    return {
      by: 'server',
      does: joinDetail(`The server ${ending === 'done' ? 'gives' : 'does not give'} ${requestedData}`, detail),
      missing: [],
    };
  }
  const [, delay] = timerPattern.exec(type) ?? [];
  const ms = delay === undefined ? null : getDelay(model.machine, delay, from.snapshot);
  if (ms !== null) return { by: 'clock', does: `Let ${formatDuration(ms)} pass.`, missing: [] };
  return { by: 'world', does: joinDetail(toCode(type), detail), missing: [`event ${type}`] };
};

const getLeaves = (snapshot: AnyMachineSnapshot): AnyStateNode[] =>
  (snapshot._nodes as AnyStateNode[]).filter(({ type }) => type === 'atomic' || type === 'final');

/** The visible screen in a snapshot, one line for each part that has a state of its own. */
export const describeSnapshot = (
  description: AnyDescription,
  snapshot: AnyMachineSnapshot,
): { id: string; text: string; isMissing: boolean }[] =>
  getLeaves(snapshot).map(({ id }) => {
    const text = description.states[id];
    return { id, text: toSentence(text === undefined ? toCode(id) : resolveText(text, snapshot)), isMissing: text === undefined };
  });

const getActionNames = ({ fired }: Edge): string[] =>
  fired.flatMap(({ actions }) =>
    actions.map((action: unknown) => (typeof action === 'string' ? action : (action as { type: string }).type)),
  );

const describeEffects = (description: AnyDescription, edge: Edge): string[] =>
  [...new Set(getActionNames(edge))].flatMap((name) => description.effects?.[name] ?? []).map(toSentence);

/**
 * Describes a step: the action or event, and the expected screen afterwards; of a screen with
 * several parts, only those that changed. A step without a visible part counts as a missing
 * description.
 */
export const describeStep = (model: PathModel, edge: Edge): DescribedStep => {
  const { description } = model;
  const { by, does, missing } = describeAction(model, edge);
  if (edge.fired.length === 0) {
    const unavailable = by === 'you' ? `${toSentence(does).slice(0, -1)}, should the shop let you.` : does;
    return { by, does: unavailable, sees: ['Nothing changes.'], missing };
  }
  const previousIds = new Set(getLeaves(edge.from.snapshot).map(({ id }) => id));
  const shownParts = describeSnapshot(description, edge.to.snapshot);
  const changedParts = shownParts.filter(({ id }) => !previousIds.has(id));
  const effects = describeEffects(description, edge);
  const isSilent = changedParts.length === 0 && effects.length === 0;
  // A step back into the same state, as when a wait restarts, is recognised by the state itself.
  const unchangedTexts = isSilent ? shownParts.map(({ text }) => text) : [];
  const hasNoEffect = isSilent && edge.fired.every(({ target }) => target === undefined);
  return {
    by,
    does,
    sees: [...effects, ...changedParts.map(({ text }) => text), ...unchangedTexts],
    missing: [
      ...missing,
      ...changedParts.filter(({ isMissing }) => isMissing).map(({ id }) => `state ${id}`),
      ...(hasNoEffect ? [`effect ${getActionNames(edge).join(', ')}`] : []),
    ],
  };
};
