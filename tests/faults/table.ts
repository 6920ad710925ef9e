import { faultNames } from './faults.ts';
import { formatCallName } from './faulty-network.ts';
import type { FaultResult } from './matrix.ts';

/** Abbreviations of the customer's extra steps in the table; other steps are written out. */
const actionLetters: Record<string, string> = {
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
  ['✓', 'nothing: the page recovered by itself'],
  ['T', 'pressed “Try again”'],
  ['C', 'pressed “Check” while the outcome of the payment was unknown'],
  ['P', 'pressed Pay (Subscribe, Keep, Redeem, Get it) again'],
  ['G', 'continued on the gateway’s page'],
  ['S', 'signed in again'],
  ['R', 'loaded the page again'],
  ['B', 'went back and returned'],
  ['L', 'started again, by the link on a screen that refuses the purchase'],
  ['=', 'found that the purchase was already complete'],
] as const;

const isFirst = (letter: string, at: number, all: string[]): boolean => all.indexOf(letter) === at;

/** A cell: the customer's extra steps until the errand was complete, or what went wrong. */
export function formatCell({ wrong, ending }: Pick<FaultResult, 'wrong' | 'ending'>): string {
  if (wrong !== null || ending === null) return `✗ ${wrong ?? ''}`;
  const did = ending.extraSteps.map((each) => actionLetters[each] ?? each).filter(isFirst);
  // The page's own state comes first; states beside it may be named empty, too.
  const [page = ''] = ending.screen.split(' / ');
  const found = /owned|empty|subscribed$/.test(page) ? ['='] : [];
  return [...did, ...found].join(' ') || '✓';
}

const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * The table of faults in Markdown: a section for each errand, with a row for each call and a column
 * for each fault.
 */
export function formatTable(tried: readonly FaultResult[]): string {
  const lines = [...legend.map(([letter, meaning]) => `- ${letter}: ${meaning}`), ''];
  for (const [name, ofErrand] of Map.groupBy(tried, (each) => each.name)) {
    lines.push(`## ${name[0]?.toUpperCase()}${name.slice(1)}`, '', formatRow(['call', ...faultNames]));
    lines.push(formatRow(['---', ...faultNames.map(() => '---')]));
    for (const [call, ofCall] of Map.groupBy(ofErrand, ({ call: made }) => formatCallName(made))) {
      const cell = (fault: string): string => {
        const found = ofCall.find((each) => each.fault === fault);
        return found === undefined ? '' : formatCell(found);
      };
      lines.push(formatRow([`\`${call}\``, ...faultNames.map(cell)]));
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** The browser table: a row for each flow, with its call that fails. */
export function formatBrowserTable(tried: readonly FaultResult[]): string {
  const lines = [formatRow(['flow', 'call', ...faultNames]), formatRow(['---', '---', ...faultNames.map(() => '---')])];
  for (const [name, ofFlow] of Map.groupBy(tried, (each) => each.name)) {
    const cell = (fault: string): string => {
      const found = ofFlow.find((each) => each.fault === fault);
      return found === undefined ? '' : formatCell(found);
    };
    lines.push(formatRow([name, `\`${ofFlow[0]?.call.path}\``, ...faultNames.map(cell)]));
  }
  return [...lines, ''].join('\n');
}
