import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Order, PlanDocument } from './plan-document.ts';
import type { Doer } from './describe-step.ts';

/** Who acts in a step, as a plan calls them. */
export const doers: Record<Doer, string> = { you: 'You', server: 'Server', clock: 'Time', world: 'Meanwhile' };

/** What is done before a step, or a start (0): which later step it is for, where that is not the next one. */
export const beforeText = (at: number, { does, step }: Order): { label: string; does: string } => ({
  label: step > at + 1 ? `Before, for step ${step}:` : 'Before:',
  does: `${does}.`,
});

/** How a plan is to be read. */
export const howTo =
  'Each step says what is done or happens, and below it what must be seen then. “Before” says what makes a later answer come out as the plan has it, and docs/testing-by-paths.md how that is done; every test begins in English, without blocks and overrides. A wait may be too short to see. What stands in braces, as {price}, is whatever the screen shows there.';

/** The words by which a plan says what a row is about, where they are others than the row's own. */
const saidOtherwise: Readonly<Record<string, RegExp>> = {
  'Block `campaign/titles`': /\bblock `/i,
  'Override `campaign/titles` with …': /\boverride `/i,
  'Override … with the answer of step 3': /with the answer of step/i,
  '`npm run store -- …`': /`npm run store/,
  'Choose a throttling profile with 60000 ms of latency': /with 60000 ms/,
  'a wait that is to be seen': /\bwait\b|grey covers|can(?:not|'t) be pressed|…”/i,
  'an unfinished payment is remembered': /unfinished payment/,
  'a title is saved, or bought, or a device signed in': /another tab|saved titles|devices/,
  'the customer owns it already, the title is owned': /own(s|ed)\b/,
  'a card that was kept': /kept|keep/,
  'the card is declined': /declined/,
  'the customer has cancelled it': /has cancelled it/,
  'a card that has expired': /has expired\b.*card|card.*has expired/,
  credits: /\bcredits\b/,
  'a language that pays in other money': /other money/,
  'signed in by a provider, by telephone': /provider|telephone/,
  'signed in by a passkey': /passkey/,
  'it is not for sale, it is free': /not for sale|(?:it|title) is free/,
  'a store that takes none, has none (… off)': /\boff\)/,
  'the code or the number in a letter': /\bletter\b/,
  "the customer comes back from the gateway's page": /comes back from the gateway/,
};

type Row = { says: string; how: string };

/** The rows of a table of docs/testing-by-paths.md, by the words at its head. */
const tableOf = (head: string): Row[] => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/testing-by-paths.md'), 'utf8');
  const [, table = ''] = text.split(`\n| ${head} |`);
  return table
    .slice(0, table.indexOf('\n\n'))
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, says = '', how = '']) => ({ says, how }));
};

/** What a plan says of the server and beforehand, and how a tester brings it about, of all that docs/testing-by-paths.md says about that. */
export const broughtAbout = (document: Pick<PlanDocument, 'about' | 'tests'>): Row[] => {
  const plan = JSON.stringify([
    document.about,
    document.tests.map(({ given, before, sees, steps }) => [
      [given, before, sees],
      steps.map(({ does, before: first, sees: seen }) => [does, first, seen]),
    ]),
  ]).replaceAll('’', "'");
  const isNeeded = ({ says }: Row): boolean => saidOtherwise[says]?.test(plan) ?? plan.includes(says);
  return [...tableOf('Before'), ...tableOf('The plan says')].filter(isNeeded);
};

/** Rows of the specification behind a line, in brackets. */
export const rowsShown = (spec: string[]): string => (spec.length > 0 ? ` (${spec.join(', ')})` : '');

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** How long a plan is and how far it goes, in one sentence. */
export const summaryOf = ({ criterion, walks, stop, covered, total, tests }: PlanDocument): string => {
  const steps = tests.reduce((sum, test) => sum + test.steps.length, 0);
  const whole = `${counted(tests.length, 'test')}, ${counted(steps, 'step')}`;
  const ended = stop === null ? '' : ` Each test ends in the state “${stop}”.`;
  if (walks) {
    return `${whole}: random walks from seed ${walks.seed}, meeting ${covered} of ${total} transitions.${ended}`;
  }
  const goals = { states: 'states', transitions: 'transitions', guards: 'outcomes of guards', pairs: 'pairs of transitions' };
  return `${whole}, meeting ${covered} of ${total} ${goals[criterion]}.${ended}`;
};

/** The name of the file of a plan, without its ending: `purchase.transitions`. */
export const planName = ({ machine, walks, criterion }: Pick<PlanDocument, 'machine' | 'walks' | 'criterion'>): string =>
  `${machine}.${walks ? `walks-${walks.seed}` : criterion}`;

/** What a plan leaves out, by what it is to be called; walks and stops leave out on purpose. */
export const leftOut = ({ walks, stop, uncovered, beyondShop }: PlanDocument): [string, string[]][] => {
  if (walks || stop !== null) return [];
  const lists: [string, string[]][] = [
    ['Left out', uncovered],
    ['Left out, because the shop never lets it happen', beyondShop],
  ];
  return lists.filter(([, names]) => names.length > 0);
};
