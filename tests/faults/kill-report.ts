import { alignColumns } from '../../tools/bench/rows.ts';
import { killMoments, type Kill, type KillMoment } from './kill-plan.ts';
import type { KillResult, KillsResult } from './kills.ts';
import { formatCallName } from './faulty-network.ts';
import { formatCell } from './table.ts';

const targetTexts = { process: 'process killed', connections: 'connections cut' } as const;
const formatTarget = ({ setting, target }: Kill): string =>
  `${setting === 'one' ? 'one shop' : 'two shops'}, ${targetTexts[target]}`;

const formatMoment = (moment: KillMoment, delayMs: number, call: string): string =>
  ({
    'as it is sent': `as ${call} is sent`,
    'while it runs': `${delayMs} ms into ${call}`,
    'after its response': `after the response to ${call}`,
  })[moment];

/** The number of kills of each errand, by setting and target, and by moment. */
export function formatDistribution(kills: readonly Kill[]): string {
  const columns = [
    'one shop, process killed',
    'two shops, process killed',
    'two shops, connections cut',
    ...killMoments,
  ] as const;
  const countKills = (group: readonly Kill[]): string[] =>
    [
      ...columns.map((column) => group.filter((kill) => [formatTarget(kill), kill.moment].includes(column)).length),
      group.length,
    ].map(String);
  const groups = [...Map.groupBy(kills, ({ errandCase }) => errandCase.name)].toSorted(([one], [other]) =>
    one.localeCompare(other),
  );
  return alignColumns([
    ['', ...columns, 'kills'],
    ...groups.map(([name, group]) => [name, ...countKills(group)]),
    ['all', ...countKills(kills)],
  ]);
}

/** One kill with its outcome: the customer's extra steps, or what went wrong. */
export function formatKill({ kill, call, outcome, wrong }: KillResult): string {
  const { number, errandCase, moment, delayMs } = kill;
  const momentText = call === null ? 'before the errand' : formatMoment(moment, delayMs, formatCallName(call));
  return `${number}: ${errandCase.name}; ${formatTarget(kill)} ${momentText}: ${formatCell({ wrong, ending: outcome?.ending ?? null })}`;
}

/**
 * One line for each wrong outcome and each leftover, and the summary.
 * @param repeatCommand the command that repeats one of these kills, without its number
 */
export function formatSummary({ kills, leftovers }: KillsResult, repeatCommand: string): string[] {
  const wrong = kills.filter((each) => each.wrong !== null);
  const lines = wrong.map((each) => `${formatKill(each)} (repeat: ${repeatCommand} --number ${each.kill.number})`);
  const leftoverLines = leftovers.map((description) => `${description} (of an unknown kill; repeat: ${repeatCommand})`);
  const leftoverSummary = leftoverLines.length === 0 ? '' : `, ${leftoverLines.length} leftovers of unknown kills`;
  return [...lines, ...leftoverLines, `${kills.length} kills, ${wrong.length} ended wrong${leftoverSummary}`];
}
