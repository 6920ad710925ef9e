import { faultNames } from './faults.ts';
import { formatCallName } from './faulty-network.ts';
import type { FaultResult } from './matrix.ts';

/** Abbreviations of the customer's extra steps in the table; other steps are written out. */
const stepLetters: Record<string, string> = {
  'Try again': 'T',
  Check: 'C',
  'signed in again': 'S',
  'loaded the page again': 'R',
  'went back and returned': 'B',
  'Pay again': 'P',
  'Keep again': 'P',
  'Redeem again': 'P',
  'Get it again': 'P',
  'Continue again': 'G',
  'started again': 'L',
};

const legend = [
  ['✓', 'no extra step: the page recovered by itself'],
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

const isFirst = (letter: string, index: number, all: string[]): boolean => all.indexOf(letter) === index;

/** A cell: the customer's extra steps until the errand was complete, or what went wrong. */
export function formatCell({ wrong, ending }: Pick<FaultResult, 'wrong' | 'ending'>): string {
  if (wrong !== null || ending === null) return `✗ ${wrong ?? ''}`;
  const letters = ending.extraSteps.map((each) => stepLetters[each] ?? each).filter(isFirst);
  // The state of the page's machine is first; states of other machines may be named empty, too.
  const [page = ''] = ending.screen.split(' / ');
  const completeMark = /owned|empty|subscribed$/.test(page) ? ['='] : [];
  return [...letters, ...completeMark].join(' ') || '✓';
}

const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * The table of faults in Markdown: a section for each errand, with a row for each call and a column
 * for each fault.
 */
export function formatTable(results: readonly FaultResult[]): string {
  const lines = [...legend.map(([letter, meaning]) => `- ${letter}: ${meaning}`), ''];
  for (const [name, errandResults] of Map.groupBy(results, (each) => each.name)) {
    lines.push(`## ${name[0]?.toUpperCase()}${name.slice(1)}`, '', formatRow(['call', ...faultNames]));
    lines.push(formatRow(['---', ...faultNames.map(() => '---')]));
    for (const [call, callResults] of Map.groupBy(errandResults, ({ call: sentCall }) => formatCallName(sentCall))) {
      const formatFault = (fault: string): string => {
        const result = callResults.find((each) => each.fault === fault);
        return result === undefined ? '' : formatCell(result);
      };
      lines.push(formatRow([`\`${call}\``, ...faultNames.map(formatFault)]));
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** The browser table: a row for each flow, with the call that fails in it. */
export function formatBrowserTable(results: readonly FaultResult[]): string {
  const lines = [formatRow(['flow', 'call', ...faultNames]), formatRow(['---', '---', ...faultNames.map(() => '---')])];
  for (const [name, flowResults] of Map.groupBy(results, (each) => each.name)) {
    const formatFault = (fault: string): string => {
      const result = flowResults.find((each) => each.fault === fault);
      return result === undefined ? '' : formatCell(result);
    };
    lines.push(formatRow([name, `\`${flowResults[0]?.call.path}\``, ...faultNames.map(formatFault)]));
  }
  return [...lines, ''].join('\n');
}
