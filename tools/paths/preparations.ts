import type { Problem } from '../../machines/model/problem.ts';
import type { Edge } from '../../machines/paths/explore.ts';
import { getSettledPort } from '../tours/settle.ts';
import type { BrowserAdapter } from '../tours/browser-adapter.ts';
import { getCasePreparation } from '../../machines/path-models/description.ts';
import { getCalls, type Call } from './calls.ts';
import { findCase } from './describe-step.ts';
import type { Preparation, ExploredModel } from './plan-document.ts';

/** An instruction that makes a call fail, and an instruction that undoes it. */
type PreparationText = { does: string; undo: string };

type Failure = Exclude<Problem, { kind: 'offline' | 'timeout' }>;

/**
 * A response body that makes any call fail with a problem at any HTTP status; for
 * `malformed` the XML is cut off.
 */
export const createFailureBody = (problem: Failure): string => {
  const toErrorXml = (status: number, code: string): string =>
    `<Error><StatusCode>${status}</StatusCode><Code>${code}</Code></Error>`;
  switch (problem.kind) {
    case 'unauthorized':
      return toErrorXml(401, 'unauthorized');
    case 'invalidStore':
      return toErrorXml(404, 'invalid_store');
    case 'http':
      return toErrorXml(problem.status, 'internal');
    case 'refused':
      return toErrorXml(problem.code === 'not_found' ? 404 : 409, problem.code);
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
    does: `Override ${names} with \`${createFailureBody(problem)}\``,
    undo: `Remove the override of ${names}`,
  };
};

const getProblem = (event: { [name: string]: unknown }): Problem | null => {
  const error = event['error'];
  return typeof error === 'object' && error !== null && 'kind' in error ? (error as Problem) : null;
};

const getChild = ({ snapshot }: Edge['from'], id: string): unknown => (snapshot.children as Record<string, unknown>)[id];

/** Whether a step sends the port's request, for the first time or again. */
const startsPort = ({ from, to }: Edge, port: string): boolean =>
  getChild(to, port) !== undefined && getChild(to, port) !== getChild(from, port);

/**
 * The step before which a tester prepares the response of step `stepNumber` (from 1): the last step
 * that is not automatic; 0 is the start.
 */
const findPreparationStep = (steps: readonly Edge[], stepNumber: number, port: string): number => {
  let index = stepNumber - 1;
  while (index > 0 && !startsPort(steps[index - 1] as Edge, port)) index -= 1;
  // Skips automatic steps: a tester cannot act before them.
  while (index > 0 && getSettledPort((steps[index - 1] as Edge).event) !== null) index -= 1;
  return index;
};

/**
 * The steps before `index`, the latest first, since the request's input was entered, such as a
 * code.
 */
const getStepsSinceChoice = (steps: readonly Edge[], index: number, entersBy: readonly string[]): Edge[] => {
  const earlierSteps = steps.slice(0, index).toReversed();
  const choiceIndex = earlierSteps.findIndex(({ event }) => entersBy.includes(event.type));
  return choiceIndex < 0 ? earlierSteps : earlierSteps.slice(0, choiceIndex);
};

const toStubResponses = (
  { ports }: BrowserAdapter,
  port: string,
  calls: readonly Call[],
  output: unknown,
): Preparation['answers'] =>
  calls.flatMap(({ name, url }) => {
    const response = ports[port]?.toResponse(output as never, url);
    return typeof response === 'object' && response.status === 200 ? [{ call: name, body: response.body }] : [];
  });

/** The tester's preparations before each step of a test; the first are those of its start. */
export const createPreparations = ({ model, adapter }: ExploredModel, steps: readonly Edge[]): Preparation[] => {
  const preparations = Array.from({ length: steps.length + 1 }, (): Preparation => ({ before: [], answers: [] }));
  const activePreparations = new Map<string, { means: PreparationText; since: number }>();
  const addTask = (preparationStep: number, text: string, step: number): void => {
    const { before } = preparations[preparationStep] as Preparation;
    const does = text.replace('with the answer of the step', `with the answer of step ${step}`);
    if (!before.some((each) => each.does === does)) before.push({ does, step });
  };
  for (const [index, { event }] of steps.entries()) {
    const stepNumber = index + 1;
    const port = getSettledPort(event);
    const preparationStep = port === null ? stepNumber : findPreparationStep(steps, stepNumber, port);
    const matchingCase = findCase(model, event);
    const caseTask = matchingCase && getCasePreparation(matchingCase);
    const calls = port === null || !adapter ? [] : getCalls(adapter, port);
    const problem = getProblem(event);
    const means = !caseTask && problem && calls.length > 0 ? getPreparationText(problem, calls) : null;
    for (const { name } of calls) {
      const activePreparation = activePreparations.get(name);
      if (!activePreparation || activePreparation.means.does === means?.does) continue;
      addTask(Math.max(preparationStep, activePreparation.since + 1), activePreparation.means.undo, stepNumber);
      for (const [call, { means: activeMeans }] of activePreparations)
        if (activeMeans === activePreparation.means) activePreparations.delete(call);
    }
    const { requestInput } = model;
    if (caseTask && (port === null || !requestInput)) addTask(preparationStep, caseTask, stepNumber);
    if (port !== null && requestInput && matchingCase) {
      const stepsSinceChoice = getStepsSinceChoice(steps, preparationStep, requestInput.eventTypes);
      const answeredStep = stepsSinceChoice.find((each) => each.event.type === `xstate.done.actor.${port}`);
      if (!answeredStep)
        addTask(preparationStep - stepsSinceChoice.length, caseTask || requestInput.defaultInstruction, stepNumber);
      else if (caseTask && findCase(model, answeredStep.event) !== matchingCase)
        addTask(preparationStep, `Override ${joinNames(calls)} with the answer of the step`, stepNumber);
    }
    // Omitted if an earlier preparation is still in effect.
    if (means && !calls.every(({ name }) => activePreparations.get(name)?.means.does === means.does)) {
      addTask(preparationStep, means.does, stepNumber);
      for (const { name } of calls) activePreparations.set(name, { means, since: stepNumber });
    }
    const isServerResponse =
      matchingCase !== undefined && event.type.startsWith('xstate.done.') && adapter?.settlesByItself?.(event) !== true;
    if (adapter && port !== null && isServerResponse) {
      (preparations[stepNumber] as Preparation).answers = toStubResponses(adapter, port, calls, event['output']);
    }
  }
  return preparations;
};
