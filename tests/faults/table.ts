import { faultNames } from './faults.ts';
import { nameOfCall } from './line.ts';
import type { Tried } from './matrix.ts';

/** What the customer had to do, as a letter of the table; anything else stands there in words. */
const letters: Record<string, string> = {
  'Try again': 'T',
  Check: 'C',
  'signed in again': 'S',
  'loaded the page again': 'R',
  'went back and came again': 'B',
  'Pay again': 'P',
  'Subscribe again': 'P',
  'Keep again': 'P',
  'Redeem again': 'P',
  'Get it again': 'P',
  'Continue again': 'G',
  'began again': 'L',
};

const legend = [
  ['✓', 'nothing: it went on by itself'],
  ['T', 'pressed “Try again”'],
  ['C', 'pressed “Check” where the shop does not know whether it was paid'],
  ['P', 'pressed Pay (Subscribe, Keep, Redeem, Get it) once more'],
  ['G', 'went on at the gateway’s page'],
  ['S', 'signed in again'],
  ['R', 'loaded the page again'],
  ['B', 'went back and came again'],
  ['L', 'began again, by the link of a screen that says that it cannot be had'],
  ['=', 'found that it is theirs already'],
] as const;

const once = (letter: string, at: number, all: string[]): boolean => all.indexOf(letter) === at;

/** A cell: what the customer did until they had what they wanted; or what is wrong. */
export function cellOf({ wrong, ending }: Pick<Tried, 'wrong' | 'ending'>): string {
  if (wrong !== null || ending === null) return `✗ ${wrong ?? ''}`;
  const did = ending.did.map((each) => letters[each] ?? each).filter(once);
  // The page's own state stands first; what is beside it may be empty, too.
  const [page = ''] = ending.screen.split(' / ');
  const found = /owned|empty|subscribed$/.test(page) ? ['='] : [];
  return [...did, ...found].join(' ') || '✓';
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The table of faults in Markdown: a part for each errand, in it a line for each call and a column for each fault. */
export function tableOf(tried: readonly Tried[]): string {
  const lines = [...legend.map(([letter, meaning]) => `- ${letter}: ${meaning}`), ''];
  for (const [name, ofErrand] of Map.groupBy(tried, (each) => each.name)) {
    lines.push(`## ${name[0]?.toUpperCase()}${name.slice(1)}`, '', row(['call', ...faultNames]));
    lines.push(row(['---', ...faultNames.map(() => '---')]));
    for (const [call, ofCall] of Map.groupBy(ofErrand, ({ call: made }) => nameOfCall(made))) {
      const cell = (fault: string): string => {
        const found = ofCall.find((each) => each.fault === fault);
        return found === undefined ? '' : cellOf(found);
      };
      lines.push(row([`\`${call}\``, ...faultNames.map(cell)]));
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** The browser's table: a line for each flow, and the call of it that goes wrong. */
export function browserTableOf(tried: readonly Tried[]): string {
  const lines = [row(['flow', 'call', ...faultNames]), row(['---', '---', ...faultNames.map(() => '---')])];
  for (const [name, ofFlow] of Map.groupBy(tried, (each) => each.name)) {
    const cell = (fault: string): string => {
      const found = ofFlow.find((each) => each.fault === fault);
      return found === undefined ? '' : cellOf(found);
    };
    lines.push(row([name, `\`${ofFlow[0]?.call.path}\``, ...faultNames.map(cell)]));
  }
  return [...lines, ''].join('\n');
}
