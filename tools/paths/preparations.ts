import type { Problem } from '../../machines/model/problem.ts';
import type { Edge } from '../../machines/paths/explore.ts';
import { portSettledBy } from '../tours/settle.ts';
import type { Stage } from '../tours/stage.ts';
import { casePreparation } from '../../machines/path-models/description.ts';
import { callsOf, type Call } from './calls.ts';
import { caseIn } from './describe-step.ts';
import type { Preparation, Start } from './plan-document.ts';

/** Brings an answer about, and ends that. */
type Means = { does: string; undo: string };

type Failure = Exclude<Problem, { kind: 'offline' | 'timeout' }>;

/** The document by which any call says that it failed, whatever the status that it comes with; half of one where it cannot be read. */
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

const named = (calls: readonly Call[]): string => new Intl.ListFormat('en').format(calls.map(({ name }) => `\`${name}\``));

const meansOf = (problem: Problem, calls: readonly Call[]): Means => {
  const names = named(calls);
  if (problem.kind === 'offline') return { does: `Block ${names}`, undo: `Unblock ${names}` };
  if (problem.kind === 'timeout') {
    return {
      does: `Choose a throttling profile with 60000 ms of latency, so that ${names} gets no answer in time`,
      undo: 'Choose “No throttling” again',
    };
  }
  return {
    does: `Override ${names} with \`${failureDocument(problem)}\``,
    undo: `Take the override of ${names} away`,
  };
};

const problemIn = (event: { [name: string]: unknown }): Problem | null => {
  const error = event['error'];
  return typeof error === 'object' && error !== null && 'kind' in error ? (error as Problem) : null;
};

const childOf = ({ snapshot }: Edge['from'], id: string): unknown => (snapshot.children as Record<string, unknown>)[id];

/** Whether a port's request is sent in a step: another one than before, or a first one. */
const isAskedIn = ({ from, to }: Edge, port: string): boolean =>
  childOf(to, port) !== undefined && childOf(to, port) !== childOf(from, port);

/** The step before which a tester acts for the answer of step `at` (from 1): the last that does not come by itself; 0 is the start. */
const placeOf = (steps: readonly Edge[], at: number, port: string): number => {
  let place = at - 1;
  while (place > 0 && !isAskedIn(steps[place - 1] as Edge, port)) place -= 1;
  // What comes by itself leaves nobody the time to do anything before it.
  while (place > 0 && portSettledBy((steps[place - 1] as Edge).event) !== null) place -= 1;
  return place;
};

/** The steps before `place` since what is asked for was chosen, such as a code that is typed, the last first. */
const sinceChosen = (steps: readonly Edge[], place: number, entersBy: readonly string[]): Edge[] => {
  const earlier = steps.slice(0, place).toReversed();
  const chosen = earlier.findIndex(({ event }) => entersBy.includes(event.type));
  return chosen < 0 ? earlier : earlier.slice(0, chosen);
};

const answersOf = ({ ports }: Stage, port: string, calls: readonly Call[], output: unknown): Preparation['answers'] =>
  calls.flatMap(({ name, url }) => {
    const wire = ports[port]?.answer(output as never, url);
    return typeof wire === 'object' && wire.status === 200 ? [{ call: name, body: wire.body }] : [];
  });

/** What a tester does before each step of a test, the first of them its start. */
export const preparationsOf = ({ model, stage }: Start, steps: readonly Edge[]): Preparation[] => {
  const prepared = Array.from({ length: steps.length + 1 }, (): Preparation => ({ before: [], answers: [] }));
  const isUnderWay = new Map<string, { means: Means; since: number }>();
  const order = (place: number, text: string, step: number): void => {
    const { before } = prepared[place] as Preparation;
    const does = text.replace('with the answer of the step', `with the answer of step ${step}`);
    if (!before.some((each) => each.does === does)) before.push({ does, step });
  };
  for (const [index, { event }] of steps.entries()) {
    const at = index + 1;
    const port = portSettledBy(event);
    const place = port === null ? at : placeOf(steps, at, port);
    const known = caseIn(model, event);
    const own = known && casePreparation(known);
    const calls = port === null || !stage ? [] : callsOf(stage, port);
    const problem = problemIn(event);
    const means = !own && problem && calls.length > 0 ? meansOf(problem, calls) : null;
    for (const { name } of calls) {
      const last = isUnderWay.get(name);
      if (!last || last.means.does === means?.does) continue;
      order(Math.max(place, last.since + 1), last.means.undo, at);
      for (const [call, { means: same }] of isUnderWay) if (same === last.means) isUnderWay.delete(call);
    }
    const { enters } = model;
    if (own && (port === null || !enters)) order(place, own, at);
    if (port !== null && enters && known) {
      const since = sinceChosen(steps, place, enters.by);
      const answered = since.find((each) => each.event.type === `xstate.done.actor.${port}`);
      if (!answered) order(place - since.length, own || enters.usual, at);
      else if (own && caseIn(model, answered.event) !== known)
        order(place, `Override ${named(calls)} with the answer of the step`, at);
    }
    // What was done before holds.
    if (means && !calls.every(({ name }) => isUnderWay.get(name)?.means.does === means.does)) {
      order(place, means.does, at);
      for (const { name } of calls) isUnderWay.set(name, { means, since: at });
    }
    const isServers = known !== undefined && event.type.startsWith('xstate.done.') && stage?.comesByItself?.(event) !== true;
    if (stage && port !== null && isServers) {
      (prepared[at] as Preparation).answers = answersOf(stage, port, calls, event['output']);
    }
  }
  return prepared;
};
