import { traceFormat, type Run, type Trace } from '../../machines/trace/format.ts';
import { packHead, packStep, unpacked, type PackedRun } from '../../machines/trace/pack.ts';
import { usedBy, type Kept } from '../../machines/trace/recorder.ts';
import { createTable, type Stored, type Table } from '../../machines/trace/table.ts';

/** Runs as a reader of the file gets them: with the values that they need of the table, and no others. */
export const runsOf = (runs: readonly Kept[], table: Table): Run[] =>
  unpacked({
    format: traceFormat,
    build: '',
    machines: {},
    store: null,
    locale: 'en',
    table: JSON.parse(table.json(usedBy(runs))) as Stored,
    runs: runs.map(({ json }) => JSON.parse(json()) as PackedRun),
  }).runs;

/** A record as the text of the file that a shop saves. */
export const fileOf = ({ runs, ...label }: Trace): string => {
  const table = createTable();
  const used = new Set<number>();
  const writer = table.counting(used);
  const written = runs.map(({ steps, ...head }) => ({
    ...packHead(head, writer),
    steps: steps.map((step) => packStep(step, writer)),
  }));
  return JSON.stringify({ ...label, format: traceFormat, table: JSON.parse(table.json(used)) as Stored, runs: written });
};
