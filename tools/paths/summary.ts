import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PreparationTask, PlanDocument } from './plan-document.ts';
import type { StepActor } from './describe-step.ts';

/** The names of a step's actors in a plan. */
export const actorNames: Record<StepActor, string> = { you: 'You', server: 'Server', clock: 'Time', world: 'Meanwhile' };

/**
 * A preparation before a step, or before the start (0), with the later step it is for unless that
 * is the next one.
 */
export const formatPreparation = (stepNumber: number, { does, step }: PreparationTask): { label: string; does: string } => ({
  label: step > stepNumber + 1 ? `Before, for step ${step}:` : 'Before:',
  does: `${does}.`,
});

/** Instructions for the tester. */
export const INSTRUCTIONS =
  'Each step says what is done or happens, and below it what must be seen then. “Before” says what makes a later answer come out as the plan has it, and docs/testing-by-paths.md how that is done; every test begins in English, without blocks and overrides. A wait may be too short to see. What stands in braces, as {price}, is whatever the screen shows there.';

/** Patterns by which a plan mentions a row, where they differ from the row's own text. */
const wordingPatterns: Readonly<Record<string, RegExp>> = {
  'Block `campaign/titles`': /\bblock `/i,
  'Override `campaign/titles` with …': /\boverride `/i,
  'Override … with the answer of step 3': /with the answer of step/i,
  '`npm run store -- …`': /`npm run store/,
  'Choose a throttling profile with 60000 ms of latency': /with 60000 ms/,
  'a wait that is to be seen': /\bwait\b|grey covers|can(?:not|'t) be pressed|…”/i,
  'the browser remembers an unfinished payment': /unfinished payment/,
  'a title is saved, or bought, or a device signed in': /another tab|saved titles|devices/,
  'the customer owns it already, the title is owned': /own(s|ed)\b/,
  'a saved card': /kept|keep|saved? (?:the )?cards?\b/i,
  'the card is declined': /declined/,
  'the customer has cancelled it': /has cancelled it/,
  'a card that has expired': /has expired\b.*card|card.*has expired/,
  credits: /\bcredits\b/,
  'a language that pays in other money': /other money/,
  'signed in by a provider, by telephone': /provider|telephone/,
  'signed in by a passkey': /passkey/,
  'it is not for sale, it is free': /not for sale|(?:it|title) is free/,
  'a store that takes none, has none (… off)': /\boff\)/,
  'the code or the number in an e-mail': /\bletter\b|\be-mail\b(?! address)/,
  'a payment that does not exist': /there is no such payment/,
  'a title that does not exist': /there is no such title/,
  "the customer comes back from the gateway's page": /comes back from the gateway/,
};

type Row = { planText: string; how: string };

/** The rows of a table of docs/testing-by-paths.md, found by its header. */
const readTable = (header: string): Row[] => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/testing-by-paths.md'), 'utf8');
  const [, table = ''] = text.split(`\n| ${header} |`);
  return table
    .slice(0, table.indexOf('\n\n'))
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, planText = '', how = '']) => ({ planText, how }));
};

/**
 * Instructions of docs/testing-by-paths.md for the preparations and responses that occur in a
 * plan.
 */
export const findCauses = (document: Pick<PlanDocument, 'about' | 'tests'>): Row[] => {
  const plan = JSON.stringify([
    document.about,
    document.tests.map(({ given, before, sees, steps }) => [
      [given, before, sees],
      steps.map(({ does, before: tasks, sees: lines }) => [does, tasks, lines]),
    ]),
  ]).replaceAll('’', "'");
  const isNeeded = ({ planText }: Row): boolean => wordingPatterns[planText]?.test(plan) ?? plan.includes(planText);
  return [...readTable('Before'), ...readTable('The plan says')].filter(isNeeded);
};

/** Specification rows after a line, in brackets. */
export const formatRowIds = (spec: string[]): string => (spec.length > 0 ? ` (${spec.join(', ')})` : '');

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The length and coverage of a plan, in one sentence. */
export const formatSummary = ({ criterion, walks, stop, covered, total, tests }: PlanDocument): string => {
  const steps = tests.reduce((sum, test) => sum + test.steps.length, 0);
  const size = `${formatCount(tests.length, 'test')}, ${formatCount(steps, 'step')}`;
  const stopText = stop === null ? '' : ` Each test ends in the state “${stop}”.`;
  if (walks) {
    return `${size}: random walks from seed ${walks.seed}, meeting ${covered} of ${total} transitions.${stopText}`;
  }
  const goals = { states: 'states', transitions: 'transitions', guards: 'outcomes of guards', pairs: 'pairs of transitions' };
  return `${size}, meeting ${covered} of ${total} ${goals[criterion]}.${stopText}`;
};

/** The file name of a plan, without its extension: `purchase.transitions`. */
export const getPlanName = ({ machine, walks, criterion }: Pick<PlanDocument, 'machine' | 'walks' | 'criterion'>): string =>
  `${machine}.${walks ? `walks-${walks.seed}` : criterion}`;

/**
 * The items that no test of a plan reaches, by heading; none with walks or a stop, which omit items
 * on purpose.
 */
export const findUncovered = ({ walks, stop, uncovered, beyondShop }: PlanDocument): [string, string[]][] => {
  if (walks || stop !== null) return [];
  const lists: [string, string[]][] = [
    ['Left out', uncovered],
    ['Left out, because the shop never lets it happen', beyondShop],
  ];
  return lists.filter(([, names]) => names.length > 0);
};
