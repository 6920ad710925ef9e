import { alignColumns } from '../../tools/bench/rows.ts';
import { killMoments, type Kill, type KillMoment } from './kill-plan.ts';
import type { KillResult, KillsResult } from './kills.ts';
import { formatCallName } from './faulty-network.ts';
import { formatCell } from './table.ts';

const targetTexts = { process: 'process killed', connections: 'connections cut' } as const;
const formatTarget = ({ setting, target }: Kill): string =>
  `${setting === 'one' ? 'one shop' : 'two shops'}, ${targetTexts[target]}`;

const formatMoment = (moment: KillMoment, delay: number, call: string): string =>
  ({
    'as it is sent': `as ${call} is sent`,
    'while it runs': `${delay} ms into ${call}`,
    'after it has answered': `after ${call} has answered`,
  })[moment];

/** How often each errand was hit by each kind of kill, and at each moment. */
export function formatDistribution(kills: readonly Kill[]): string {
  const columns = [
    'one shop, process killed',
    'two shops, process killed',
    'two shops, connections cut',
    ...killMoments,
  ] as const;
  const countsOf = (own: readonly Kill[]): string[] =>
    [...columns.map((column) => own.filter((kill) => [formatTarget(kill), kill.moment].includes(column)).length), own.length].map(
      String,
    );
  const kinds = [...Map.groupBy(kills, ({ each }) => each.name)].toSorted(([one], [other]) => one.localeCompare(other));
  return alignColumns([
    ['', ...columns, 'kills'],
    ...kinds.map(([name, own]) => [name, ...countsOf(own)]),
    ['all', ...countsOf(kills)],
  ]);
}

/** One kill, with the extra button presses that it cost the customer. */
export function formatKill({ kill, call, outcome, wrong }: KillResult): string {
  const { number, each, moment, delay } = kill;
  const when = call === null ? 'before the errand' : formatMoment(moment, delay, formatCallName(call));
  return `${number}: ${each.name}; ${formatTarget(kill)} ${when}: ${formatCell({ wrong, ending: outcome?.ending ?? null })}`;
}

/**
 * One line for each wrong outcome, and the summary.
 * @param repeating the command that repeats one of these kills, without its number
 */
export function formatSummary({ killed, leftovers }: KillsResult, repeating: string): string[] {
  const wrong = killed.filter((each) => each.wrong !== null);
  const lines = wrong.map((each) => `${formatKill(each)} (repeat: ${repeating} --number ${each.kill.number})`);
  const left = leftovers.map((says) => `${says} (of an unknown kill; repeat: ${repeating})`);
  const more = left.length === 0 ? '' : `, ${left.length} leftovers of unknown kills`;
  return [...lines, ...left, `${killed.length} kills, ${wrong.length} ended wrong${more}`];
}
