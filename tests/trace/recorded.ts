import { traceFormat, type Run, type Trace } from '../../machines/trace/format.ts';
import { packHead, packStep, unpackTrace, type PackedRun } from '../../machines/trace/pack.ts';
import { collectUses, type RetainedRun } from '../../machines/trace/recorder.ts';
import { createTable, type StoredTable, type Table } from '../../machines/trace/table.ts';

/** Runs as a reader of the file gets them: with only the table values they need. */
export const unpackRuns = (runs: readonly RetainedRun[], table: Table): Run[] =>
  unpackTrace({
    format: traceFormat,
    build: '',
    machines: {},
    store: null,
    locale: 'en',
    table: JSON.parse(table.json(collectUses(runs))) as StoredTable,
    runs: runs.map(({ json }) => JSON.parse(json()) as PackedRun),
  }).runs;

/** A record as the text of the file that a shop saves. */
export const packTrace = ({ runs, ...label }: Trace): string => {
  const table = createTable();
  const usedIds = new Set<number>();
  const writer = table.trackUses(usedIds);
  const packedRuns = runs.map(({ steps, ...head }) => ({
    ...packHead(head, writer),
    steps: steps.map((step) => packStep(step, writer)),
  }));
  return JSON.stringify({
    ...label,
    format: traceFormat,
    table: JSON.parse(table.json(usedIds)) as StoredTable,
    runs: packedRuns,
  });
};
