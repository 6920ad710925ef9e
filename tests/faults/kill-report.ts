import { aligned } from '../../tools/bench/rows.ts';
import { moments, type Kill, type Moment } from './kill-plan.ts';
import type { Killed, Result } from './kills.ts';
import { nameOfCall } from './line.ts';
import { cellOf } from './table.ts';

const deaths = { process: 'process killed', connections: 'connections cut' } as const;
const whereOf = ({ setting, target }: Kill): string => `${setting === 'one' ? 'one shop' : 'two shops'}, ${deaths[target]}`;

const whenOf = (moment: Moment, delay: number, call: string): string =>
  ({
    'as it is sent': `as ${call} is sent`,
    'while it runs': `${delay} ms into ${call}`,
    'after it has answered': `after ${call} has answered`,
  })[moment];

/** How often each kind of purchase meets each kind of death, and each moment. */
export function distribution(kills: readonly Kill[]): string {
  const columns = ['one shop, process killed', 'two shops, process killed', 'two shops, connections cut', ...moments] as const;
  const countsOf = (own: readonly Kill[]): string[] =>
    [...columns.map((column) => own.filter((kill) => [whereOf(kill), kill.moment].includes(column)).length), own.length].map(
      String,
    );
  const kinds = [...Map.groupBy(kills, ({ each }) => each.name)].toSorted(([one], [other]) => one.localeCompare(other));
  return aligned([
    ['', ...columns, 'kills'],
    ...kinds.map(([name, own]) => [name, ...countsOf(own)]),
    ['all', ...countsOf(kills)],
  ]);
}

/** One kill, and the customer's presses that it made necessary. */
export function lineOf({ kill, call, outcome, wrong }: Killed): string {
  const { number, each, moment, delay } = kill;
  const when = call === null ? 'before the errand' : whenOf(moment, delay, nameOfCall(call));
  return `${number}: ${each.name}; ${whereOf(kill)} ${when}: ${cellOf({ wrong, ending: outcome?.ending ?? null })}`;
}

/**
 * All that ended wrong, a line each, and the summary.
 * @param repeating the command that repeats one of these kills, but for its number
 */
export function summary({ killed, leftovers }: Result, repeating: string): string[] {
  const wrong = killed.filter((each) => each.wrong !== null);
  const lines = wrong.map((each) => `${lineOf(each)} (repeat: ${repeating} --number ${each.kill.number})`);
  const left = leftovers.map((says) => `${says} (of no kill; repeat: ${repeating})`);
  const more = left.length === 0 ? '' : `, ${left.length} leftovers of no kill`;
  return [...lines, ...left, `${killed.length} kills, ${wrong.length} ended wrong${more}`];
}
