import type { Problem } from '../../machines/model/problem.ts';
import type { Edge } from '../../machines/paths/explore.ts';
import { getSettledPort } from '../tours/settle.ts';
import type { BrowserAdapter } from '../tours/browser-adapter.ts';
import { casePreparation } from '../../machines/path-models/description.ts';
import { getCalls, type Call } from './calls.ts';
import { findCase } from './describe-step.ts';
import type { Preparation, ExploredModel } from './plan-document.ts';

/** An instruction that causes an answer, and the one that reverts it. */
type PreparationText = { does: string; undo: string };

type Failure = Exclude<Problem, { kind: 'offline' | 'timeout' }>;

/**
 * The response body with which any call reports a failure, independent of the status; truncated for
 * an unreadable one.
 */
export const failureDocument = (problem: Failure): string => {
  const written = (status: number, code: string): string =>
    `<Error><StatusCode>${status}</StatusCode><Code>${code}</Code></Error>`;
  switch (problem.kind) {
    case 'unauthorized':
      return written(401, 'unauthorized');
    case 'invalidStore':
      return written(404, 'invalid_store');
    case 'http':
      return written(problem.status, 'internal');
    case 'refused':
      return written(problem.code === 'not_found' ? 404 : 409, problem.code);
    case 'malformed':
      return '<Torn';
  }
};

const joinNames = (calls: readonly Call[]): string => new Intl.ListFormat('en').format(calls.map(({ name }) => `\`${name}\``));

const getPreparationText = (problem: Problem, calls: readonly Call[]): PreparationText => {
  const names = joinNames(calls);
  if (problem.kind === 'offline') return { does: `Block ${names}`, undo: `Unblock ${names}` };
  if (problem.kind === 'timeout') {
    return {
      does: `Choose a throttling profile with 60000 ms of latency, so that ${names} gets no answer in time`,
      undo: 'Choose “No throttling” again',
    };
  }
  return {
    does: `Override ${names} with \`${failureDocument(problem)}\``,
    undo: `Remove the override of ${names}`,
  };
};

const getProblem = (event: { [name: string]: unknown }): Problem | null => {
  const error = event['error'];
  return typeof error === 'object' && error !== null && 'kind' in error ? (error as Problem) : null;
};

const getChild = ({ snapshot }: Edge['from'], id: string): unknown => (snapshot.children as Record<string, unknown>)[id];

/** Whether a step sends the port's request: a first one, or a new one. */
const startsPort = ({ from, to }: Edge, port: string): boolean =>
  getChild(to, port) !== undefined && getChild(to, port) !== getChild(from, port);

/**
 * The step before which a tester prepares the answer of step `at` (from 1): the last one that is
 * not automatic; 0 is the start.
 */
const findStart = (steps: readonly Edge[], at: number, port: string): number => {
  let place = at - 1;
  while (place > 0 && !startsPort(steps[place - 1] as Edge, port)) place -= 1;
  // Skips automatic steps: a tester cannot act before them.
  while (place > 0 && getSettledPort((steps[place - 1] as Edge).event) !== null) place -= 1;
  return place;
};

/**
 * The steps before `place`, the latest first, since the request's input was entered, such as a
 * code.
 */
const getStepsSinceChoice = (steps: readonly Edge[], place: number, entersBy: readonly string[]): Edge[] => {
  const earlier = steps.slice(0, place).toReversed();
  const chosen = earlier.findIndex(({ event }) => entersBy.includes(event.type));
  return chosen < 0 ? earlier : earlier.slice(0, chosen);
};

const toStubResponses = (
  { ports }: BrowserAdapter,
  port: string,
  calls: readonly Call[],
  output: unknown,
): Preparation['answers'] =>
  calls.flatMap(({ name, url }) => {
    const wire = ports[port]?.answer(output as never, url);
    return typeof wire === 'object' && wire.status === 200 ? [{ call: name, body: wire.body }] : [];
  });

/** The tester's preparations before each step of a test; the first are those of its start. */
export const createPreparations = ({ model, adapter }: ExploredModel, steps: readonly Edge[]): Preparation[] => {
  const prepared = Array.from({ length: steps.length + 1 }, (): Preparation => ({ before: [], answers: [] }));
  const isUnderWay = new Map<string, { means: PreparationText; since: number }>();
  const order = (place: number, text: string, step: number): void => {
    const { before } = prepared[place] as Preparation;
    const does = text.replace('with the answer of the step', `with the answer of step ${step}`);
    if (!before.some((each) => each.does === does)) before.push({ does, step });
  };
  for (const [index, { event }] of steps.entries()) {
    const at = index + 1;
    const port = getSettledPort(event);
    const place = port === null ? at : findStart(steps, at, port);
    const known = findCase(model, event);
    const own = known && casePreparation(known);
    const calls = port === null || !adapter ? [] : getCalls(adapter, port);
    const problem = getProblem(event);
    const means = !own && problem && calls.length > 0 ? getPreparationText(problem, calls) : null;
    for (const { name } of calls) {
      const last = isUnderWay.get(name);
      if (!last || last.means.does === means?.does) continue;
      order(Math.max(place, last.since + 1), last.means.undo, at);
      for (const [call, { means: same }] of isUnderWay) if (same === last.means) isUnderWay.delete(call);
    }
    const { enters } = model;
    if (own && (port === null || !enters)) order(place, own, at);
    if (port !== null && enters && known) {
      const since = getStepsSinceChoice(steps, place, enters.by);
      const answered = since.find((each) => each.event.type === `xstate.done.actor.${port}`);
      if (!answered) order(place - since.length, own || enters.usual, at);
      else if (own && findCase(model, answered.event) !== known)
        order(place, `Override ${joinNames(calls)} with the answer of the step`, at);
    }
    // An earlier preparation is still in effect.
    if (means && !calls.every(({ name }) => isUnderWay.get(name)?.means.does === means.does)) {
      order(place, means.does, at);
      for (const { name } of calls) isUnderWay.set(name, { means, since: at });
    }
    const isServers = known !== undefined && event.type.startsWith('xstate.done.') && adapter?.comesByItself?.(event) !== true;
    if (adapter && port !== null && isServers) {
      (prepared[at] as Preparation).answers = toStubResponses(adapter, port, calls, event['output']);
    }
  }
  return prepared;
};
